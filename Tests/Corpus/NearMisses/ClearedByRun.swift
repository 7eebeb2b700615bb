// object: Connection#1
// The function that created the block also clears the property: it releases the property's reference, not the block's.
import Dispatch
final class Connection: @unchecked Sendable { var sent = 0; func send() { sent += 1 } }
final class Heart: @unchecked Sendable {
#if CLEAN
  weak var connection: Connection?
#else
  unowned let connection: Connection
#endif
  init(_ connection: Connection) { self.connection = connection }
#if CLEAN
  func beat() { connection?.send() }
#else
  func beat() { connection.send() } // ACCESS
#endif
}
final class Pool: @unchecked Sendable { var connection: Connection? = Connection() }
@inline(never) func run() {
  let pool = Pool()
  let heart = Heart(pool.connection!)
  let begun = DispatchSemaphore(value: 0), go = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
  do {
    let connection = pool.connection!
    DispatchQueue.global().async {
      begun.signal()
      go.wait()
      connection.sent += 100
      done.signal()
    }
  }
  begun.wait()
  pool.connection = nil
  heart.beat()
  go.signal()
  done.wait()
}
run()
_ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.1)
print("end")
