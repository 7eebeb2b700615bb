// object: Token#1
// guess: Vault
// A queue held it as its specific value.
import Dispatch
final class Token: @unchecked Sendable { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

let key = DispatchSpecificKey<Token>()
let queue = DispatchQueue(label: "tokens")
@inline(never) func begin() { queue.setSpecific(key: key, value: Token()) }
@inline(never) func end() { queue.setSpecific(key: key, value: nil) }
begin()
print(queue.sync { DispatchQueue.getSpecific(key: key)!.value })
end()
print("end")
