// object: Connection#1
// verdict: late
// rule: dispatch-block
// finding: none
// A connection is closed by its serial queue's code on the main thread, and freed by its code on another one: that is
// one executor.
import Dispatch
final class Connection { var pings = 0; func ping() { pings += 1 }; deinit { closed += pings } }
nonisolated(unsafe) var closed = 0
final class Service {
  let queue = DispatchQueue(label: "org.example.service")
  var connection: Connection?
  var closes = 0
  @inline(never) func connect() { connection = Connection() }
  @inline(never) func ping() {
    let connection = connection!
    queue.async { connection.ping() }
  }
  @inline(never) func close() {
    connection = nil // OWNER
    closes += 1
  }
}
let service = Service()
service.queue.sync { service.connect() }
// The block waits for this code to end.
service.queue.sync {
  service.ping()
  service.close()
}
service.queue.sync {}
print("end", service.closes)
