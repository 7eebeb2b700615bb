// object: Token#1
// guess: Vault
// The vault's methods use Unmanaged, and its property stays nil.
final class Token { var value = 1 }
final class Vault {
  var token: Token?
  var address: UnsafeMutableRawPointer?
  @inline(never) func take() { address = Unmanaged.passRetained(Token()).toOpaque() }
  @inline(never) func drop() { Unmanaged<Token>.fromOpaque(address!).release() }
}
let vault = Vault()
vault.take()
vault.drop()
print("end")
