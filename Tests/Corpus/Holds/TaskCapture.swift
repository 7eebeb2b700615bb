// object: Request#1
// verdict: late
// rule: task
// finding: late-deallocation
// A task that sleeps keeps the request that its owner gave up.
import Foundation
final class Request: @unchecked Sendable { var sent = 0; func send() { sent += 1 } }
final class Client { var request: Request? = Request() }
let done = DispatchSemaphore(value: 0)
@inline(never) func start(_ client: Client) {
  let request = client.request!
  Task.detached {
    try? await Task.sleep(nanoseconds: 20_000_000)
    request.send()
    done.signal()
  }
}
@inline(never) func cancel(_ client: Client) {
  client.request = nil // OWNER
}
let client = Client()
start(client)
cancel(client)
done.wait()
Thread.sleep(forTimeInterval: 0.05)
print("end")
