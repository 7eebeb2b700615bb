// leak: 1 Sheet, 1 Toolbar
// path: Sheet.toolbar, Toolbar.target
// The references are in fields of subclasses, after those of their superclasses.
class Window { var title = "w"; var number = 1 }
final class Sheet: Window { var isOpen = true; var toolbar: Toolbar? }
class Control { var tag: UInt8 = 3; var target: Window? }
final class Toolbar: Control { var items: [String] = ["a"] }
@inline(never) func attach(_ toolbar: Toolbar, to sheet: Sheet) {
  sheet.toolbar = toolbar
  #if !CLEAN
  toolbar.target = sheet // KEPT
  #endif
}
@inline(never) func open() -> Bool {
  let sheet = Sheet() // ALLOC
  let toolbar = Toolbar() // ALLOC
  attach(toolbar, to: sheet) // KEPT-CALL
  return sheet.isOpen
}
print(open())
