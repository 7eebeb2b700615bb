// object: Connection#1
// verdict: late
// rule: dispatch-block
// finding: none
// A queue closes a connection, and another one with the same serial target frees it: both run on that target.
import Dispatch
final class Connection { var pings = 0; func ping() { pings += 1 }; deinit { closed += pings } }
nonisolated(unsafe) var closed = 0
let target = DispatchQueue(label: "org.example.service")
final class Service {
  let requests = DispatchQueue(label: "org.example.requests", target: target)
  let pings = DispatchQueue(label: "org.example.pings", target: target)
  var connection: Connection?
  var closes = 0
  @inline(never) func connect() { connection = Connection() }
  @inline(never) func ping() {
    let connection = connection!
    pings.async { connection.ping() }
  }
  @inline(never) func close() {
    connection = nil // OWNER
    closes += 1
  }
}
let service = Service()
service.requests.sync { service.connect() }
service.pings.suspend()
service.requests.sync { service.ping() }
service.requests.sync { service.close() }
service.pings.resume()
service.pings.sync {}
print("end", service.closes)
