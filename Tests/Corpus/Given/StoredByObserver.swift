// object: Page#1
// An observer stores the notification's object in a ruler, closes the window, and uses the ruler then.
import Foundation
class Page: @unchecked Sendable { var edits = 0; func edit() { edits += 1 } }
final class Window: @unchecked Sendable {
  var page: Page? = Page()
  @inline(never) func close() { page = nil }
}
final class Ruler: @unchecked Sendable {
  unowned(unsafe) var page: Page?
  var width = 0
  @inline(never) func measure() {
    page?.edit()
    width += page?.edits ?? 0
  }
}
let window = Window(), ruler = Ruler()
let token = NotificationCenter.default.addObserver(forName: .init("page"), object: nil, queue: nil) { note in
  ruler.page = note.object as? Page
  window.close()
  ruler.measure()
}
@inline(never) func post(_ window: Window) {
  NotificationCenter.default.post(name: .init("page"), object: window.page)
}
post(window)
NotificationCenter.default.removeObserver(token)
print("end", ruler.width)
