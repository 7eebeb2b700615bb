// leak: 3 Screen
// path: Screen.onClose, closure
// An identifier is an object's address, and does not keep it: as an element, as a key, in a struct, as a property, and
// captured by a closure.
struct Entry: Hashable {
  let id: ObjectIdentifier
  let name: String
}
final class Registry {
  var open: Set<ObjectIdentifier> = []
  var titles: [ObjectIdentifier: String] = [:]
  var entries: [Entry] = []
  var last: ObjectIdentifier?
  var isLast: [() -> Bool] = []
}
let registry = Registry()
final class Screen {
  var onClose: (() -> Void)?
  var closed = 0
}
@inline(never) func show(_ name: String) {
  let screen = Screen() // ALLOC
  let id = ObjectIdentifier(screen)
  registry.open.insert(id)
  registry.titles[id] = name
  registry.entries.append(Entry(id: id, name: name))
  registry.last = id
  registry.isLast.append { registry.last == id }
  #if CLEAN
  screen.onClose = { [weak screen] in screen?.closed += 1 }
  #else
  screen.onClose = { screen.closed += 1 } // KEPT
  #endif
}
for name in ["inbox", "drafts", "sent"] { show(name) } // KEPT-CALL
print(registry.open.count, registry.isLast.count { $0() })
