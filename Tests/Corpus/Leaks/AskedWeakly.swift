// leak: 1 Library, 1 Shelf
// path: Library.shelf, Shelf.room
// says: Library.shelf → Shelf.room → Library
// change: Make Shelf.room weak or unowned
// not: when it is no longer needed
// A test asks through a weak reference whether the library is gone: it does not need it.
final class Shelf {
  #if CLEAN
  unowned let room: Library
  #else
  let room: Library
  #endif
  var books = 0
  init(room: Library) { self.room = room }
}
final class Library {
  private(set) var shelf: Shelf?
  @inline(never) func build() { shelf = Shelf(room: self) } // KEPT
  @inline(never) func add() -> Int {
    shelf?.books += 1
    return shelf?.books ?? 0
  }
}
@inline(never) func use(_ library: Library) -> Int { library.add() + library.add() }
@inline(never) func visit() -> () -> Library? {
  let library = Library() // ALLOC
  library.build()
  print(use(library))
  return { [weak library] in library }
}
let library = visit()
#if CLEAN
print(library() == nil)
#else
print(library() != nil)
#endif
