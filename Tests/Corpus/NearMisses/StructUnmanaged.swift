// object: Document#1
// Only a block keeps it, and uses it through an unmanaged reference in a struct that another object stores.
import Dispatch
class Document: @unchecked Sendable { var words = 3; func count() -> Int { words } }
#if CLEAN
struct Link: @unchecked Sendable { weak var document: Document? }
#else
struct Link: @unchecked Sendable { var document: Unmanaged<Document> }
#endif
final class Index: @unchecked Sendable {
  var link: Link
  init(_ link: Link) { self.link = link }
#if CLEAN
  @inline(never) func total() -> Int { link.document?.count() ?? 0 }
#else
  @inline(never) func total() -> Int { link.document.takeUnretainedValue().count() } // ACCESS
#endif
}
final class Library: @unchecked Sendable {
  var document: Document?
  @inline(never) func open() { document = Document() }
#if CLEAN
  @inline(never) func index() -> Index { Index(Link(document: document)) }
#else
  @inline(never) func index() -> Index { Index(Link(document: .passUnretained(document!))) }
#endif
  @inline(never) func close() { document = nil }
}
let queue = DispatchQueue(label: "documents")
let library = Library()
library.open()
let index = library.index()
@inline(never) func submit(_ document: Document) {
  queue.async { print(index.total() + document.words) }
}
queue.suspend()
submit(library.document!)
library.close()
queue.resume()
queue.sync {}
print("end")
