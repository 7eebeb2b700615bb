// leak: 1 Pane, 1 Model
// path: Pane.model, Model.onChange, closure
// The classic: a stored closure captures the object that stores it.
final class Model { var onChange: (() -> Void)? }
final class Pane {
  let model = Model() // ALLOC
  var changes = 0
  func begin() {
    #if CLEAN
    model.onChange = { [weak self] in self?.changes += 1 }
    #else
    model.onChange = { self.changes += 1 } // KEPT
    #endif
  }
}
@inline(never) func show() -> Int {
  let pane = Pane() // ALLOC
  pane.begin() // KEPT-CALL
  pane.model.onChange?()
  return pane.changes
}
print(show())
