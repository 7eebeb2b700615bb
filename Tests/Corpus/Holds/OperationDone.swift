// object: Import#1
// verdict: on time
// rule: 
// finding: none
// The operation has finished when the owner releases the object.
import Foundation
final class Import { var rows = 0; func run() { rows += 1 } }
final class Library { var current: Import? = Import() }
let operations = OperationQueue()
@inline(never) func begin(_ library: Library) {
  let current = library.current!
  operations.addOperation { current.run() }
}
@inline(never) func close(_ library: Library) {
  library.current = nil // OWNER
}
let library = Library()
begin(library)
operations.waitUntilAllOperationsAreFinished()
while !isKnownUniquelyReferenced(&library.current) { usleep(1000) }
close(library)
print("end")
