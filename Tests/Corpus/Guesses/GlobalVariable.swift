// object: Token#1
// guess: Vault
// A global variable held it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

nonisolated(unsafe) var current: Token?
@inline(never) func begin() { current = Token() }
@inline(never) func end() { current = nil }
begin()
end()
print("end")
