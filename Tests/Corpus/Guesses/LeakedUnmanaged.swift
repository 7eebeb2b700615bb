// object: Token#1
// guess: Vault
// Counted by hand and never given back; the vault never had one.
final class Token { var value = 1 }
final class Vault { var token: Token? }
let vault = Vault()

@_optimize(none) @inline(never) func leak() { _ = Unmanaged.passRetained(Token()) }
leak()
print("end")
