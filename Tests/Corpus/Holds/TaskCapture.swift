// object: Request#1
// verdict: late
// rule: task
// finding: late-deallocation
// A task that sleeps keeps the request that its owner released.
import Foundation
final class Request: @unchecked Sendable { var sent = 0; func send() { sent += 1 }; deinit { died.signal() } }
final class Client { var request: Request? = Request() }
let died = DispatchSemaphore(value: 0)
@inline(never) func start(_ client: Client) {
  let request = client.request!
  Task.detached {
    try? await Task.sleep(nanoseconds: 400_000_000)
    request.send()
  }
}
@inline(never) func cancel(_ client: Client) {
  client.request = nil // OWNER
}
let client = Client()
start(client)
cancel(client)
died.wait()
Thread.sleep(forTimeInterval: 0.05)
print("end")
