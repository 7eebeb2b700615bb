// object: Token#1
// guess: Vault#1.token
// The vault's initializer stores it only in a static list.
final class Token { var value = 1 }
final class Vault {
  nonisolated(unsafe) static var all: [Token] = []
  var token: Token?
  @inline(never) init(_ token: Token) { Vault.all.append(token) }
}
@inline(never) func make() -> Vault {
  let token = Token()
  return Vault(token)
}
@inline(never) func clear() { Vault.all.removeAll() }
let vault = make()
print(vault.token == nil, Vault.all.count)
clear()
print("end")
