// class: Token
// kind: over-release
// One retain, two releases: the second releases another owner's reference.
final class Token { let id = 5 }
final class Vault { var token: Token? }
@inline(never) func issue(_ vault: Vault) -> Unmanaged<Token> {
  vault.token = Token() // ALLOC
  return .passRetained(vault.token!)
}
@inline(never) func revoke(_ token: Unmanaged<Token>) {
  token.release() // FREE
}
@inline(never) func forget(_ vault: Vault) {
  vault.token = nil // ACCESS FREE
}
let vault = Vault()
let token = issue(vault)
revoke(token)
#if !CLEAN
revoke(token) // FREE-CALL
#endif
forget(vault)
print("end")
