// object: Token#1
// guess: Vault#1.token
// A list that the vault inherits from a generic class holds it when the vault is freed.
class Store<Element> {
  var elements: [Element] = []
  func add(_ element: Element) { elements.append(element) }
}
final class Token { var value = 1 }
final class Vault: Store<Token> {
  var token: Token?
  @inline(never) func load() { add(Token()) }
}
@inline(never) func make() -> Vault {
  let vault = Vault()
  vault.load()
  return vault
}
var vault: Vault? = make()
print(vault!.elements.count, vault!.token == nil)
vault = nil
print("end")
