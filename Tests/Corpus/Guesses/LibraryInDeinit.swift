// object: Token#1
// guess: Vault#1.token
// A library's list holds it when the vault is freed.
import Foundation
final class Token { var value = 1 }
final class Vault {
  var token: Token?
  let list = NSMutableArray()
  @inline(never) func load() { list.add(Token()) }
}
@inline(never) func make() -> Vault {
  let vault = Vault()
  vault.load()
  return vault
}
var vault: Vault? = make()
print(vault!.list.count, vault!.token == nil)
vault = nil
print("end")
