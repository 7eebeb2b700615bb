// object: Token#1
// guess: Vault
// A list owned it; the vault had only a weak reference.
final class Token { var value = 1 }
final class Vault { weak var last: Token?; var token: Token? }
let vault = Vault()
nonisolated(unsafe) var tokens: [Token] = []
@inline(never) func begin() { tokens.append(Token()); vault.last = tokens[0] }
@inline(never) func end() { tokens.removeAll() }
begin()
end()
print(vault.last == nil)
print("end")
