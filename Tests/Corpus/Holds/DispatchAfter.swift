// object: Retry#1
// verdict: late
// rule: dispatch-source
// finding: none
// In libdispatch an asyncAfter block is a timer source's handler.
// A retry scheduled for later outlives the connection that scheduled it.
import Dispatch
final class Retry { var count = 0; func fire() { count += 1; fired.signal() } }
final class Connection { var retry: Retry? = Retry() }
let fired = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "retry")
@inline(never) func plan(_ connection: Connection) {
  let retry = connection.retry!
  queue.asyncAfter(deadline: .now() + .milliseconds(400)) { retry.fire() }
}
@inline(never) func close(_ connection: Connection) {
  connection.retry = nil // OWNER
}
let connection = Connection()
plan(connection)
close(connection)
fired.wait()
queue.sync {}
print("end")
