// object: Token#1
// guess: Vault
// The vault created it and gave it away at once: another object holds it, without a retain.
final class Token { var value = 1 }
final class Vault { var token: Token? = Token() }
final class Pocket {
  var token: Token?
  func take(_ vault: Vault) { swap(&token, &vault.token) }
}
let vault = Vault(), pocket = Pocket()
pocket.take(vault)
print(vault.token == nil, pocket.token!.value)
pocket.token = nil
print("end")
