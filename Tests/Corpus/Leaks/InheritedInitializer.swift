// leak: 1 Dialog, 1 Theme
// path: Dialog.theme, Theme.owner
// change: Theme.owner
// A superclass's initializer stores self; the convenience initializer that creates the object is inherited.
class Window {
  let theme: Theme
  init(_ theme: Theme) {
    self.theme = theme
    theme.owner = self // KEPT
  }
}
class Panel: Window {
  var title = ""
  convenience init(title: String) {
    self.init(Theme()) // ALLOC KEPT-CALL
    self.title = title
  }
}
final class Dialog: Panel { var isModal = true }
final class Theme {
  #if CLEAN
  weak var owner: Window?
  #else
  var owner: Window?
  #endif
}
@inline(never) func show() -> Int {
  let dialog = Dialog(title: "abc") // ALLOC KEPT-CALL
  return dialog.title.utf8.count
}
print(show())
