// class: Sheet
// kind: use-after-free
// The host's helper object outlives the sheet that it works for and reports to.
class Sheet { var taps = 0; func buttonTapped(_ index: Int) { taps += index } }
final class Helper {
  unowned(unsafe) let sheet: Sheet
  init(_ sheet: Sheet) { self.sheet = sheet }
  deinit {
    sheet.buttonTapped(1) // ACCESS
  }
}
final class Window { var sheet: Sheet?; var helper: Helper? }
@inline(never) func present(_ window: Window) {
  let sheet = Sheet() // ALLOC
  window.sheet = sheet
  window.helper = Helper(sheet)
}
@inline(never) func dismiss(_ window: Window) {
  window.sheet = nil // FREE
}
@inline(never) func forget(_ window: Window) {
  window.helper = nil // ACCESS
}
let window = Window()
present(window)
#if !CLEAN
dismiss(window)
#endif
forget(window)
dismiss(window)
print("end")
