// class: Import
// kind: use-after-free
// An operation waits in its queue longer than its object lives.
import Foundation
class Import { var rows = 0; func importRow() { rows += 1 } }
final class Library { var current: Import? }
let operations = OperationQueue()
@inline(never) func begin(_ library: Library) {
  let current = Import() // ALLOC
  library.current = current
  operations.addOperation { [unowned(unsafe) current] in
    current.importRow() // ACCESS
  }
}
@inline(never) func end(_ library: Library) {
  library.current = nil // FREE
}
let library = Library()
operations.isSuspended = true
begin(library)
#if !CLEAN
end(library)
#endif
operations.isSuspended = false
operations.waitUntilAllOperationsAreFinished()
end(library)
print("end")
