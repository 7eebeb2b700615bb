// class: Session
// kind: use-after-free
// A property is read on one thread and cleared on another without a lock: the reader has loaded the reference but not yet retained it.
import Foundation
class Session { var sent = 0; func send() { sent += 1 } }
final class Hub: @unchecked Sendable {
  private let lock = NSLock()
  var session: Session? = Session() // ALLOC
  @inline(never) func send() {
    #if CLEAN
    lock.withLock { session }?.send()
    #else
    if let session { session.send() } // ACCESS
    #endif
  }
  @inline(never) func close() {
    #if CLEAN
    lock.withLock { session = nil }
    #else
    session = nil // FREE
    #endif
  }
}
let hub = Hub()
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  for _ in 0..<10 { hub.send() }
  done.signal()
}
running.wait()
usleep(2000)
hub.close()
done.wait()
print("end")
