// object: Token#1
// guess: Vault
// The property of that name is computed: the value is in a global variable.
final class Token { var value = 1 }
nonisolated(unsafe) var storage: Token?
final class Vault {
  var spare: Token?
  var token: Token? { get { storage } set { storage = newValue } }
}
let vault = Vault()
@inline(never) func begin() { vault.token = Token() }
@inline(never) func end() { vault.token = nil }
begin()
end()
print("end")
