// object: Token#1
// guess: wrappedValue
// never: the wrapped property is the place
// The setter of a property wrapper stores it: `wrappedValue` itself is computed.
final class Token { var value = 1; func use() { value += 1 } }
@propertyWrapper struct Counted<Value> {
  private var value: Value
  private(set) var changes = 0
  init(wrappedValue: Value) { value = wrappedValue }
  var wrappedValue: Value {
    get { value }
    set {
      value = newValue
      changes += 1
    }
  }
}
final class Vault {
  @Counted var token: Token? = nil
  @inline(never) func open() { token = Token() }
  @inline(never) func close() { token = nil }
}
@inline(never) func run(_ vault: Vault) {
  vault.open()
  vault.token?.use()
  vault.close()
}
run(Vault())
print("end")
