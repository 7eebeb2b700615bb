// leak: 1 Engine, 1 Repository<Main.User>
// path: Engine.repository, Repository<Main.User>.listener
// change: Repository<Main.User>.listener
// not: Engine.repository
// A constant cannot be set to nil; the existential that refers back can.
protocol Listener: AnyObject { func changed() }
protocol Named { var name: String { get } }
protocol Storing<Item>: AnyObject {
  associatedtype Item
  func save(_ item: Item)
  var listener: (any Listener & Named)? { get set }
}
struct User { let number: Int }
final class Repository<Item>: Storing {
  var items: [Item] = []
  var listener: (any Listener & Named)?
  func save(_ item: Item) {
    items.append(item)
    listener?.changed()
  }
}
final class Engine: Listener, Named {
  let repository: any Storing<User>
  var changes = 0
  var name: String { "engine" }
  init(_ repository: some Storing<User>) {
    self.repository = repository
    repository.listener = self // KEPT
  }
  func changed() { changes += 1 }
}
@inline(never) func run() {
  let engine = Engine(Repository<User>()) // ALLOC KEPT-CALL
  engine.repository.save(User(number: 1))
  print(engine.changes, engine.name)
  #if CLEAN
  engine.repository.listener = nil
  #endif
}
run() // KEPT-CALL
