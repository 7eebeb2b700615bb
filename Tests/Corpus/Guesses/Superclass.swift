// object: Badge#1
// guess: Vault
// A property of the superclass could hold it, but does not.
class Token { var value = 1 }
final class Badge: Token {}
final class Vault { var token: Token? }
let vault = Vault()
nonisolated(unsafe) var current: Badge?
@inline(never) func begin() { current = Badge() }
@inline(never) func end() { current = nil }
begin()
end()
print("end")
