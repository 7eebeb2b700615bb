// object: Token#1
// guess: Vault
// The vault's property is cleared at once; a closure in its dictionary holds the token.
final class Token { var value = 1; func use() { value += 1 } }
final class Vault {
  var token: Token?
  var handlers: [String: () -> Void] = [:]
  func open() {
    let made = Token()
    token = made
    handlers["use"] = { made.use() }
    token = nil
  }
  func use() { handlers["use"]?() }
  func close() { handlers.removeAll() }
}
let vault = Vault()
vault.open()
vault.use()
vault.close()
print("end")
