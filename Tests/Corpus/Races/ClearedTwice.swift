// class: Connection
// kind: use-after-free
// Two threads close the same connection: each takes the reference to release, but there is only one.
import Foundation
class Connection { var isOpen = true; func shut() { isOpen = false } }
final class Socket: @unchecked Sendable {
  private let lock = NSLock()
  private var connection: Unmanaged<Connection>?
  init() { connection = .passRetained(Connection()) } // ALLOC
  @inline(never) func close() {
    #if CLEAN
    let taken = lock.withLock { () -> Unmanaged<Connection>? in
      defer { connection = nil }
      return connection
    }
    guard let taken else { return }
    #else
    guard let taken = lock.withLock({ connection }) else { return }
    #endif
    taken.takeUnretainedValue().shut() // ACCESS
    lock.withLock { connection = nil }
    taken.release() // ACCESS FREE
  }
}
let socket = Socket()
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  socket.close() // FREE
  done.signal()
}
running.wait()
usleep(1500)
socket.close() // FREE
done.wait()
print("end")
