// object: Token#1
// guess: Vault
// A closure that lives until the end captured it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

nonisolated(unsafe) var actions: [() -> Void] = []
@inline(never) func begin() {
  let token = Token()
  actions.append { token.value += 1 }
}
begin()
actions[0]()
print("end")
