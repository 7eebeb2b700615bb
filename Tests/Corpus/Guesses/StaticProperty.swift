// object: Token#1
// guess: Vault
// A static property of another type held it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

enum Registry { nonisolated(unsafe) static var shared: Token? }
@inline(never) func begin() { Registry.shared = Token() }
@inline(never) func end() { Registry.shared = nil }
begin()
end()
print("end")
