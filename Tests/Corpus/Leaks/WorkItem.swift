// leak: 1 Search
// path: Search.item
// The object that a work item's block captures keeps the work item, which never ran.
import Dispatch
final class Search {
  var item: DispatchWorkItem?
  var results = 0
  @inline(never) func schedule() {
    #if CLEAN
    item = DispatchWorkItem { [weak self] in self?.results += 1 }
    #else
    item = DispatchWorkItem { self.results += 1 } // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let search = Search() // ALLOC
  search.schedule() // KEPT-CALL
  return search.results
}
print(run())
