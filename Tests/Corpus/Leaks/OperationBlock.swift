// leak: 1 Export
// path: closure
// An operation's own block captures it.
import Foundation
final class Export: BlockOperation, @unchecked Sendable { var bytes = 0 }
@inline(never) func run() -> Bool {
  let export = Export() // ALLOC
  #if CLEAN
  export.addExecutionBlock { [unowned export] in export.bytes = 1 }
  #else
  export.addExecutionBlock { export.bytes = 1 } // KEPT
  #endif
  return export.isReady
}
print(run())
