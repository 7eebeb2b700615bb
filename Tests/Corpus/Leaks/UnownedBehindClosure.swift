// leak: 3 Page, 3 Book
// path: Page.book, Book.page
// change: Make Book.page weak or unowned
// An unowned capture keeps nothing alive, whatever was captured before it: a closure, values of protocol types, a tuple.
protocol Style { var width: Int { get } }
struct Wide: Style {
  var width = 80
  var name = "wide"
}
protocol Log: AnyObject { func note(_ text: String) }
final class Printer: Log { func note(_ text: String) { if text.isEmpty { print(text) } } }
final class Book { var page: Page? }
final class Page {
  var book: Book?
  var number = 1
  func turn() { number += 1 }
}
nonisolated(unsafe) var handlers: [() -> Void] = []
@inline(never) func open(_ before: @escaping () -> Void, _ style: any Style, _ log: any Log, _ range: (Int?, Bool)) {
  func make() -> Page {
    let page = Page() // ALLOC
    let book = Book() // KEPT-CALL
    page.book = book
    #if !CLEAN
    book.page = page // KEPT
    #endif
    return page
  }
  let first = make(), second = make(), third = make()
  #if CLEAN
  kept += [first, second, third]
  #endif
  handlers.append { [unowned first] in
    before()
    first.turn()
  }
  handlers.append { [unowned second] in
    if style.width > 0 { second.turn() }
  }
  handlers.append { [unowned third] in
    log.note("\(range.0 ?? 0) \(range.1)")
    third.turn()
  }
  for handler in handlers { handler() }
}
#if CLEAN
nonisolated(unsafe) var kept: [Page] = []
#endif
open({ print("open") }, Wide(), Printer(), (3, true))
print(handlers.count)
