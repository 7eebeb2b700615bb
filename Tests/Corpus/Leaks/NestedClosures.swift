// leak: 1 Form, 1 Field
// path: Form.field, Field.validate, closure
// The outer closure captures self weakly; the inner one is stored and captures the strong copy.
final class Field { var validate: (() -> Bool)? }
final class Form {
  let field = Field() // ALLOC
  var isValid = true
  @inline(never) func setUp(_ run: (@escaping () -> Void) -> Void) {
    run { [weak self] in
      guard let self else { return }
      #if CLEAN
      self.field.validate = { [weak self] in self?.isValid ?? false }
      #else
      self.field.validate = { self.isValid } // KEPT
      #endif
    }
  }
}
@inline(never) func fill() -> Bool {
  let form = Form() // ALLOC
  form.setUp { $0() } // KEPT-CALL
  return form.field.validate!()
}
print(fill())
