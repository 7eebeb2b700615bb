// leak: 1 SignupForm
// path: SignupForm._name, closure
// Closures of a property wrapper capture their owner; the optimizer merges two of them.
@propertyWrapper struct Validated<Value> {
  private var value: Value
  var rule: ((Value) -> Bool)?
  var rejected = 0
  init(wrappedValue: Value) { value = wrappedValue }
  var wrappedValue: Value {
    get { value }
    set { if rule?(newValue) ?? true { value = newValue } else { rejected += 1 } }
  }
  var projectedValue: Validated<Value> { get { self } set { self = newValue } }
}
final class SignupForm {
  var minimum = 3
  @Validated var name = "anonymous"
  @Validated var age = 18
  func configure() {
    #if CLEAN
    _name.rule = { [unowned self] in $0.count >= self.minimum }
    #else
    _name.rule = { $0.count >= self.minimum } // KEPT
    #endif
    _age.rule = { $0 > 0 }
  }
}
@inline(never) func run() {
  let form = SignupForm() // ALLOC
  form.configure()
  form.name = "al"
  form.name = "alice"
  form.age = -1
  print(form.name, form.age)
}
run()
