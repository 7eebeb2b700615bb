// object: Token#1
// guess: Token#1.
// never: numbers hold nothing
// What runs while a number is set, an observer or a property wrapper's setter, uses closures that captured the object.
@propertyWrapper struct Noted<Value> {
  final class Storage {
    var value: Value
    var observers: [(Value) -> Void] = []
    init(_ value: Value) { self.value = value }
  }
  private let storage: Storage
  init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  var wrappedValue: Value {
    get { storage.value }
    nonmutating set {
      storage.value = newValue
      for observer in storage.observers { observer(newValue) }
    }
  }
  var projectedValue: Storage { storage }
}
final class Token {
  var level = 1 { didSet { for observer in observers { observer(level) } } }
  @Noted var rank = 1
  var observers: [(Int) -> Void] = []
  var sum = 0
  @inline(never) func watch() {
    observers.append { self.sum += $0 }
    $rank.observers.append { self.sum += $0 }
  }
  @inline(never) func stop() {
    observers = []
    $rank.observers = []
  }
}
@inline(never) func run() -> Int {
  let token = Token()
  token.watch()
  token.level = 2
  token.rank = 3
  token.stop()
  return token.sum
}
print(run())
