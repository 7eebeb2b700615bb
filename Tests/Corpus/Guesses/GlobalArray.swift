// object: Token#1
// guess: Vault
// An array in a global variable held it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

nonisolated(unsafe) var tokens: [Token] = []
@inline(never) func begin() { tokens.append(Token()) }
@inline(never) func end() { tokens.removeAll() }
begin()
end()
print("end")
