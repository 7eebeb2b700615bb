// object: Request#1
// verdict: on time
// rule: 
// finding: none
// The task ended long before the owner releases the object.
import Foundation
final class Request: @unchecked Sendable { var sent = 0; func send() { sent += 1 } }
final class Client { var request: Request? = Request() }
let done = DispatchSemaphore(value: 0)
@inline(never) func start(_ client: Client) {
  let request = client.request!
  Task.detached { request.send(); done.signal() }
}
@inline(never) func cancel(_ client: Client) {
  client.request = nil // OWNER
}
let client = Client()
start(client)
done.wait()
while !isKnownUniquelyReferenced(&client.request) { usleep(1000) }
cancel(client)
print("end")
