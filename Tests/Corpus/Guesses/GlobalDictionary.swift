// object: Token#1
// guess: Vault
// A dictionary in a global variable held it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

nonisolated(unsafe) var tokens: [String: Token] = [:]
@inline(never) func begin() { tokens["a"] = Token() }
@inline(never) func end() { tokens["a"] = nil }
begin()
end()
print("end")
