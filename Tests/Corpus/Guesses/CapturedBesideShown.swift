// object: Token#1
// guess: Vault
// when: open
// never: the vault released the only reference that its property had
// A function captured the vault's token in a closure, which still has it at the end.
final class Token { var value = 1; func use() { value += 1 } }
final class Vault {
  var token: Token? = Token()
  @inline(never) func close() { token = nil }
}
final class Timer { let action: () -> Void; init(_ action: @escaping () -> Void) { self.action = action } }
nonisolated(unsafe) var timer: Timer?
let vault = Vault()
@inline(never) func schedule() {
  let token = vault.token!
  timer = Timer { token.use() }
}
schedule()
vault.close()
timer?.action()
print("end")
