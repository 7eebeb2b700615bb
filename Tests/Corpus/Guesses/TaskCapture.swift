// object: Token#1
// guess: Vault
// A task held it while it ran.
import Foundation
final class Token: @unchecked Sendable { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

let done = DispatchSemaphore(value: 0)
@inline(never) func begin() {
  let token = Token()
  Task.detached { token.value += 1; done.signal() }
}
begin()
done.wait()
Thread.sleep(forTimeInterval: 0.05)
print("end")
