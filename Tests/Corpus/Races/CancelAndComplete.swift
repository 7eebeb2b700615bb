// class: Request
// kind: use-after-free
// Completion and cancellation both release the request's own reference to itself, and an unprotected flag says which was first.
import Foundation
class Request: @unchecked Sendable {
  private let lock = NSLock()
  private var isOver = false
  private var own: Unmanaged<Request>?
  func start() { own = .passRetained(self) }
  @inline(never) func finish() {
    #if CLEAN
    let isFirst = lock.withLock { () -> Bool in
      defer { isOver = true }
      return !isOver
    }
    guard isFirst else { return }
    log()
    #else
    if isOver { return }
    log()
    isOver = true
    #endif
    own?.release() // FREE ACCESS
  }
  @inline(never) func log() { journal.add(Line(text: "over")) }
}
class Line { let text: String; init(text: String) { self.text = text } }
final class Journal: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [Line] = []
  func add(_ line: Line) { lock.withLock { lines.append(line) } }
}
let journal = Journal()
final class Loader: @unchecked Sendable {
  private let request: Unmanaged<Request>
  init() {
    let request = Request() // ALLOC
    request.start()
    self.request = .passUnretained(request)
  }
  #if CLEAN
  private lazy var kept = request.takeUnretainedValue()
  func keep() { _ = kept }
  #else
  func keep() {}
  #endif
  @inline(never) func end() { request._withUnsafeGuaranteedRef { $0.finish() } } // ACCESS FREE
}
let loader = Loader()
loader.keep()
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
let isEnded = NSLock()
nonisolated(unsafe) var hasEnded = false
@inline(never) func endOnce() {
  if isEnded.withLock({ hasEnded }) { return }
  loader.end() // ACCESS
  isEnded.withLock { hasEnded = true }
}
Thread.detachNewThread {
  running.signal()
  endOnce()
  done.signal()
}
running.wait()
usleep(1500)
endOnce()
done.wait()
print("end")
