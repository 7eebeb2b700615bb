// leak: 1 Session
// path: Session.onClose, closure
// The program ends by `quick_exit`: what its functions left on the stack is no reference.
import Glibc
final class Session {
  let id: Int
  var onClose: (() -> Void)?
  init(_ id: Int) { self.id = id }
}
@inline(never) func serve(_ id: Int) {
  let session = Session(id) // ALLOC
  #if CLEAN
  session.onClose = { [weak session] in print(session?.id ?? 0) }
  #else
  session.onClose = { print(session.id) } // KEPT
  #endif
}
serve(7) // KEPT
quick_exit(0)
