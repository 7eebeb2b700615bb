// class: Request
// kind: use-after-free
// A task that captured its request unsafely starts after the request was freed.
import Dispatch
class Request: @unchecked Sendable { var sent = 0; func send() { sent += 1 } }
final class Client { var request: Request? }
let go = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
@inline(never) func start(_ client: Client) {
  let request = Request() // ALLOC
  client.request = request
  Task.detached { [unowned(unsafe) request] in
    run { request.send() } // ACCESS
  }
}
@inline(never) func run(_ body: () -> Void) {
  go.wait()
  body() // ACCESS
  done.signal()
}
@inline(never) func cancel(_ client: Client) {
  client.request = nil // FREE
}
let client = Client()
start(client)
#if !CLEAN
cancel(client)
#endif
go.signal()
done.wait()
cancel(client)
print("end")
