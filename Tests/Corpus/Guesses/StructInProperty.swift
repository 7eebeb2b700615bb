// object: Token#1
// guess: Vault#1.token
// A struct in another property of the vault holds it, and the vault's methods are inlined.
final class Token { var value = 1 }
struct Purse { var token: Token?; mutating func clear() { token = nil } }
final class Vault {
  var token: Token?
  var purse = Purse()
  func load() { purse.token = Token() }
  func unload() { purse.clear() }
}
let vault = Vault()
vault.load()
print(vault.purse.token!.value, vault.token == nil)
vault.unload()
print("end")
