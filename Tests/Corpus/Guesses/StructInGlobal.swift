// object: Token#1
// guess: Vault
// A struct in a global variable held it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

struct Store { var token: Token? }
nonisolated(unsafe) var store = Store()
@inline(never) func begin() { store.token = Token() }
@inline(never) func end() { store.token = nil }
begin()
end()
print("end")
