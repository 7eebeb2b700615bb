// object: Token#1
// guess: Vault
// shown: -Onone
// A function takes the token, clears the vault's property, and has the token until it returns: which of its releases
// was the property's is unknown in optimized code; otherwise the other one is of a local variable.
class Token {
  let number: Int
  init(_ number: Int) { self.number = number }
  func spend() -> Int { number + 1 }
}
final class Vault {
  var token: Token?
  init() { token = Token(1) }
}
@inline(never) func spend(_ vault: Vault) -> Int {
  let token = vault.token!
  vault.token = nil
  print("spending")
  return token.spend()
}
let vault = Vault()
print(spend(vault), vault.token == nil)
print("end")
