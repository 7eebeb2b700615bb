// object: Token#1
// guess: Vault
// A class has such a property, but there is no object of the class.
final class Token { var value = 1 }
final class Vault { var token: Token? }
nonisolated(unsafe) var current: Token?
@inline(never) func begin() { current = Token() }
@inline(never) func end() { current = nil }
begin()
end()
if CommandLine.argc > 9 { Vault().token = current }
print("end")
