// object: Token#1
// guess: Vault
// An enum in a global variable held it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

enum State { case idle, busy(Token) }
nonisolated(unsafe) var state = State.idle
@inline(never) func begin() { state = .busy(Token()) }
@inline(never) func end() { state = .idle }
begin()
end()
print("end")
