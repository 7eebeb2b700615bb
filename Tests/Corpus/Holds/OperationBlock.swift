// object: Import#1
// verdict: late
// rule: operation
// finding: either
// An operation waits in a suspended queue and keeps what its block captured.
import Foundation
final class Import { var rows = 0; func run() { rows += 1 }; deinit { died.signal() } }
final class Library { var current: Import? = Import() }
let died = DispatchSemaphore(value: 0)
let operations = OperationQueue()
@inline(never) func begin(_ library: Library) {
  let current = library.current!
  operations.addOperation { current.run() }
}
@inline(never) func close(_ library: Library) {
  library.current = nil // OWNER
}
let library = Library()
operations.isSuspended = true
begin(library)
close(library)
operations.isSuspended = false
died.wait()
Thread.sleep(forTimeInterval: 0.05)
print("end")
