// class: DetailPage
// kind: use-after-free
// A base class's overridden method is called on a page that was dropped from its stack.
class Page { func willAppear(_ animated: Bool) {} }
final class DetailPage: Page {
  var appearances = 0
  override func willAppear(_ animated: Bool) { appearances += animated ? 1 : 0 }
}
final class Navigator {
  var stack: [Page] = []
  unowned(unsafe) var top: Page
  init() {
    let page = DetailPage() // ALLOC
    stack.append(page)
    top = page
  }
  @inline(never) func pop() {
    stack.removeAll() // FREE
  }
  @inline(never) func show() {
    top.willAppear(true) // ACCESS
  }
}
let navigator = Navigator()
#if !CLEAN
navigator.pop() // FREE-CALL
#endif
navigator.show()
navigator.pop()
print("end")
