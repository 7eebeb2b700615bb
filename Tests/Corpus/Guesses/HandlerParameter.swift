// object: Token#1
// guess: Vault
// A handler receives tokens but keeps none.
final class Token { var value = 1 }
final class Vault { var handler: ((Token) -> Void)? }
let vault = Vault()
nonisolated(unsafe) var current: Token?
vault.handler = { $0.value += 1 }
@inline(never) func begin() { current = Token(); vault.handler?(current!) }
@inline(never) func end() { current = nil }
begin()
end()
print("end")
