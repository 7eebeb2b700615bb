// object: Token#1
// guess: Registry
// The registry has only weak boxes; the vault owned it.
struct Weak<Value: AnyObject> { weak var object: Value? }
final class Token { var value = 1 }
final class Vault { var token: Token? }
final class Registry {
  var tokens: [Weak<Token>] = []
  @inline(never) func forget(_ vault: Vault) {
    tokens.removeAll()
    vault.token = nil
  }
}
let vault = Vault()
let registry = Registry()
@inline(never) func begin() {
  let token = Token()
  vault.token = token
  registry.tokens.append(Weak(object: token))
}
begin()
registry.forget(vault)
print(registry.tokens.count)
print("end")
