// Unowned references in elements of arrays and dictionaries, to objects that were retained by hand.
final class Body { let mass: Int; init(_ mass: Int) { self.mass = mass } }
struct Contact {
  let depth: Int
  unowned let body: Body
}
struct Pair<Key> {
  let key: Key
  unowned var body: Body
}
final class World {
  var contacts: [Contact] = []
  var byName: [String: Contact] = [:]
  var pairs: [Pair<Int>] = []
  func add(_ mass: Int) {
    let body = Body(mass)
    _ = Unmanaged.passRetained(body)
    contacts.append(Contact(depth: 1, body: body))
  }
  func name(_ name: String, _ mass: Int) {
    let body = Body(mass)
    _ = Unmanaged.passRetained(body)
    byName[name] = Contact(depth: 2, body: body)
  }
  func pair(_ mass: Int) {
    let body = Body(mass)
    _ = Unmanaged.passRetained(body)
    pairs.append(Pair(key: mass, body: body))
  }
  func release() {
    for contact in contacts + byName.values { Unmanaged.passUnretained(contact.body).release() }
    for pair in pairs { Unmanaged.passUnretained(pair.body).release() }
  }
}
nonisolated(unsafe) var world: World?
@inline(never) func make() {
  let new = World()
  for mass in 1...3 { new.add(mass) }
  new.name("a", 4)
  new.name("b", 5)
  new.pair(6)
  world = new
}
make()
@inline(never) func sum() -> Int {
  world!.contacts.reduce(0) { $0 + $1.body.mass } + world!.byName.values.reduce(0) { $0 + $1.body.mass }
    + world!.pairs.reduce(0) { $0 + $1.body.mass }
}
print(sum())
