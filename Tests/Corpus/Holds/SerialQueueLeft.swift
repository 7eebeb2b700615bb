// object: Connection#1
// verdict: late
// rule: dispatch-block
// finding: late-deallocation
// A serial queue's code closes a connection; a block on a thread of the pool keeps it, and its deinit runs there.
import Dispatch
final class Connection { var pings = 0; func ping() { pings += 1 }; deinit { closed += pings } }
nonisolated(unsafe) var closed = 0
final class Service {
  let queue = DispatchQueue(label: "org.example.service")
  var connection: Connection?
  var closes = 0
  @inline(never) func connect() { connection = Connection() }
  @inline(never) func ping(_ started: DispatchSemaphore, _ go: DispatchSemaphore) {
    let connection = connection!
    DispatchQueue.global().async(group: group) {
      started.signal()
      go.wait()
      connection.ping()
    }
  }
  @inline(never) func close() {
    connection = nil // OWNER
    closes += 1
  }
}
let group = DispatchGroup()
let service = Service()
let (started, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
service.queue.sync { service.connect() }
service.queue.sync { service.ping(started, go) }
started.wait()
service.queue.async { service.close(); go.signal() }
group.wait()
service.queue.sync {}
print("end", service.closes)
