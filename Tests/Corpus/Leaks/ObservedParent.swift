// leak: 2 Folder, 1 Badge
// path: Folder.parent, Folder.children
// change: Folder.parent
// not: _parent
// says: Folder.parent
// The macro @Observable stores a property under another name and in a closure that a library calls. A property that
// it does not observe keeps its name.
import Observation
@Observable final class Folder {
  var name: String
  #if CLEAN
  weak var parent: Folder?
  #else
  var parent: Folder?
  #endif
  var children: [Folder] = []
  @ObservationIgnored var _badge: Badge?
  var badge: Badge? {
    get { _badge }
    set { _badge = newValue }
  }
  init(_ name: String) { self.name = name }
  func add(_ folder: Folder) {
    folder.parent = self // KEPT
    children.append(folder) // KEPT
  }
}
final class Badge { unowned(unsafe) var folder: Folder; init(_ folder: Folder) { self.folder = folder } }
@inline(never) func run() -> Int {
  let root = Folder("root") // ALLOC
  root.add(Folder("a")) // KEPT
  root.badge = Badge(root)
  return root.children.count
}
print(run()) // KEPT-CALL
