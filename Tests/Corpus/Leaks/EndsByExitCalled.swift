// leak: 1 Pane
// path: Pane.onClose, closure
// A function of the program calls `exit`: what earlier calls left in the gaps of exit's own frames is no reference.
import Foundation
final class Pane {
  let name: String
  var onClose: (() -> Void)?
  init(_ name: String) {
    self.name = name
    #if CLEAN
    onClose = { [weak self] in print(self?.name ?? "") }
    #else
    onClose = { print(self.name) } // KEPT
    #endif
  }
}
func show(_ name: String) {
  let pane = Pane(name) // ALLOC
  pane.onClose?()
}
show("main") // KEPT
exit(0)
