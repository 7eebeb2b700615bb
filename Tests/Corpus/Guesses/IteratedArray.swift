// object: Token#1
// guess: Vault
// An iteration has a copy of the array, which shares its elements: the vault has emptied its own before it ends.
final class Token { var value = 1 }
final class Vault {
  var tokens = [Token()]
  @inline(never) func clear() { tokens.removeAll() }
}
let vault = Vault()
@inline(never) func visit() {
  for token in vault.tokens {
    vault.clear()
    print(token.value, vault.tokens.isEmpty)
  }
}
visit()
print("end")
