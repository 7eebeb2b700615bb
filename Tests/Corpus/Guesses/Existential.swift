// object: Token#1
// guess: Vault
// A property of a protocol that it conforms to could hold it, but does not.
protocol Secret: AnyObject {}
final class Token: Secret { var value = 1 }
final class Vault { var secret: (any Secret)? }
let vault = Vault()
nonisolated(unsafe) var current: (any Secret)?
@inline(never) func begin() { current = Token() }
@inline(never) func end() { current = nil }
begin()
end()
print("end")
