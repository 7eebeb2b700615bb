// class: Context
// kind: use-after-free
// An event source calls back with a context that its owner frees right after it asked the source to stop, without waiting.
import Foundation
class Context { var events = 0; func handle() { events += 1 } }
final class Source: @unchecked Sendable {
  private let lock = NSLock()
  private var isRunning = true
  private let context: UnsafeMutableRawPointer
  private let stopped = DispatchSemaphore(value: 0)
  init(_ context: UnsafeMutableRawPointer) { self.context = context }
  func run() {
    for _ in 0..<10 where lock.withLock({ isRunning }) { call() }
    stopped.signal()
  }
  @inline(never) func call() {
    Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().handle() // ACCESS
  }
  func stop() { lock.withLock { isRunning = false } }
  func wait() { stopped.wait() }
}
@inline(never) func make() -> UnsafeMutableRawPointer {
  Unmanaged.passRetained(Context()).toOpaque() // ALLOC
}
@inline(never) func discard(_ context: UnsafeMutableRawPointer) {
  Unmanaged<Context>.fromOpaque(context).release() // FREE
}
let context = make()
let source = Source(context)
let running = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  source.run()
}
running.wait()
usleep(2500)
source.stop()
#if CLEAN
source.wait()
discard(context) // FREE
#else
discard(context) // FREE
source.wait()
#endif
print("end")
