// object: Token#1
// guess: Vault
// Retained through Unmanaged and never released; the vault never held it.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

@_optimize(none) @inline(never) func leak() { _ = Unmanaged.passRetained(Token()) }
leak()
print("end")
