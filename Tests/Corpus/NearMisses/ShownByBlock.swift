// object: Page#1
// A block that holds the page has a window draw it, which refers to it without counting. In the twin the block gives
// the page to the window, which forgets it when it is drawn.
import Foundation
class Page: @unchecked Sendable { var drawn = 0; func draw() { drawn += 1 } }
final class Window: @unchecked Sendable {
  unowned(unsafe) var page: Page?
  @inline(never) func show(_ page: Page) {
    self.page = page
    refresh()
    self.page = nil
  }
  @inline(never) func refresh() {
    page?.draw() // ACCESS
  }
}
final class Book {
  var page: Page? = Page()
  @inline(never) func close() { page = nil }
  @inline(never) func load(_ window: Window, _ queue: DispatchQueue, _ gate: DispatchSemaphore) {
    let page = page!
    queue.async {
      gate.wait()
#if CLEAN
      window.show(page)
#else
      window.refresh()
#endif
      page.draw()
    }
  }
}
@inline(never) func run() {
  let book = Book(), window = Window(), queue = DispatchQueue(label: "pages"), gate = DispatchSemaphore(value: 0)
#if !CLEAN
  window.page = book.page
#endif
  book.load(window, queue, gate)
  book.close()
  gate.signal()
  queue.sync {}
}
run()
print("end")
