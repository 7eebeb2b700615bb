// object: Token#1
// guess: Vault#1.token
// Only a closure in another property holds it; the closure's context is the token itself.
final class Token { var value = 1 }
final class Vault {
  var token: Token?
  var handler: (() -> Int)?
  @inline(never) func bind(_ token: Token) { handler = { token.value } }
}
@inline(never) func make() -> Vault {
  let vault = Vault()
  vault.bind(Token())
  return vault
}
var vault: Vault? = make()
print(vault!.handler!(), vault!.token == nil)
vault = nil
print("end")
