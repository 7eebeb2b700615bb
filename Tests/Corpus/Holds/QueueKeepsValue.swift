// object: Context#1
// verdict: on time
// rule: queue-specific
// finding: none
// never: a Dispatch block
// A queue keeps the specific value that it was given: it is the last owner, not a transient hold.
import Dispatch
final class Context: @unchecked Sendable { var number = 1 }
let key = DispatchSpecificKey<Context>()
let queue = DispatchQueue(label: "server")
final class Server {
  var context: Context?
  @inline(never) func open() { context = Context() }
  @inline(never) func install() { queue.setSpecific(key: key, value: context!) }
  @inline(never) func close() { context = nil }
  @inline(never) func remove() { queue.setSpecific(key: key, value: nil) }
}
let server = Server()
server.open()
server.install()
server.close()
server.remove()
DispatchQueue.global().sync {}
let later = DispatchSemaphore(value: 0)
_ = later.wait(timeout: .now() + 0.1)
print("end")
