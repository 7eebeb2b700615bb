// object: Token#1
// guess: Vault
// A closure in the vault's dictionary holds it longer than the vault's property.
final class Token { var value = 1; func use() { value += 1 } }
final class Vault {
  var token: Token?
  var handlers: [String: () -> Void] = [:]
  func open() { token = Token() }
  func register() {
    let token = token!
    handlers["use"] = { token.use() }
  }
  func forget() { token = nil }
  func use() { handlers["use"]?() }
  func close() { handlers.removeAll() }
}
func run() {
  let vault = Vault()
  vault.open()
  vault.register()
  vault.forget()
  vault.use()
  vault.close()
}
run()
print("end")
