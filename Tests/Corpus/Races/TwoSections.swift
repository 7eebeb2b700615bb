// class: Session
// kind: use-after-free
// A flag that one critical section reads says whether the next may use the session; between the two, another thread closes it.
import Foundation
class Session { var messages = 0; func send() { messages += 1 } }
final class Connection: @unchecked Sendable {
  private let lock = NSLock()
  private var isOpen = true
  private let session: Unmanaged<Session>
  init(_ session: Session) { self.session = .passUnretained(session) }
  @inline(never) func close() { lock.withLock { isOpen = false } }
  @inline(never) func send() {
    #if CLEAN
    lock.withLock {
      if isOpen { session.takeUnretainedValue().send() }
    }
    #else
    guard lock.withLock({ isOpen }) else { return }
    lock.withLock { session.takeUnretainedValue().send() } // ACCESS
    #endif
  }
}
final class App: @unchecked Sendable {
  var session: Session? = Session() // ALLOC
  @inline(never) func end(_ connection: Connection) {
    connection.close()
    session = nil // FREE
  }
}
let app = App()
let connection = Connection(app.session!)
let running = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
Thread.detachNewThread {
  running.signal()
  for _ in 0..<20 { connection.send() }
  done.signal()
}
running.wait()
usleep(3000)
app.end(connection)
done.wait()
print("end")
