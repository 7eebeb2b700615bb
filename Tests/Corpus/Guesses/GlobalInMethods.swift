// object: Token#1
// guess: Vault
// The methods of the vault keep it in a global variable.
final class Token { var value = 1 }
nonisolated(unsafe) var current: Token?
final class Vault {
  var token: Token?
  @inline(never) func begin() { current = Token() }
  @inline(never) func end() { current = nil }
}
let vault = Vault()
vault.begin()
vault.end()
print("end")
