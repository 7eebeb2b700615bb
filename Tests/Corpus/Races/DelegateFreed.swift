// class: Screen
// kind: use-after-free
// A poller asks whether its delegate is still set and then messages it; between the two, another thread frees the delegate.
import Foundation
class Screen { var rows = 0; func refresh() { rows += 1 } }
final class Poller: @unchecked Sendable {
  private let lock = NSLock()
  private var delegate: Unmanaged<Screen>?
  init(_ delegate: Screen) { self.delegate = .passUnretained(delegate) }
  @inline(never) func clear() { lock.withLock { delegate = nil } }
  @inline(never) func tick() {
    #if CLEAN
    lock.withLock {
      delegate?.takeUnretainedValue().refresh()
    }
    #else
    guard let screen = lock.withLock({ delegate }) else { return }
    screen.takeUnretainedValue().refresh() // ACCESS
    #endif
  }
}
final class App: @unchecked Sendable {
  var screen: Screen? = Screen() // ALLOC
  @inline(never) func close(_ poller: Poller) {
    poller.clear()
    screen = nil // FREE
  }
}
let app = App()
let poller = Poller(app.screen!)
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  for _ in 0..<20 { poller.tick() }
  done.signal()
}
running.wait()
usleep(3000)
app.close(poller)
done.wait()
print("end")
