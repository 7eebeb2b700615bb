// object: Token#1
// guess: Vault
// A block in a queue held it until the block had run.
import Dispatch
final class Token: @unchecked Sendable { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

let queue = DispatchQueue(label: "jobs")
@inline(never) func begin() {
  let token = Token()
  queue.async { token.value += 1 }
}
begin()
queue.sync {}
queue.sync {}
print("end")
