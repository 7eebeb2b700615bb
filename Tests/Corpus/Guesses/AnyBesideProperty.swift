// object: Token#1
// guess: Vault#1.token
// A dictionary of Any values holds it when the vault is freed.
final class Token { var value = 1 }
final class Vault {
  var token: Token?
  var information: [String: Any] = [:]
  @inline(never) func load() { information["token"] = Token() }
}
@inline(never) func make() -> Vault {
  let vault = Vault()
  vault.load()
  return vault
}
var vault: Vault? = make()
print(vault!.information.count, vault!.token == nil)
vault = nil
print("end")
