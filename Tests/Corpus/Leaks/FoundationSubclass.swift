// leak: 1 Document, 1 Page
// path: Document.pages, Page.document
// Subclasses of NSObject, with a Foundation array between them.
import Foundation
final class Document: NSObject { let pages = NSMutableArray() }
final class Page: NSObject { var document: Document? }
@inline(never) func open() -> Int {
  let document = Document() // ALLOC
  let page = Page() // ALLOC
  document.pages.add(page)
  #if !CLEAN
  page.document = document // KEPT
  #endif
  return document.pages.count
}
print(open())
