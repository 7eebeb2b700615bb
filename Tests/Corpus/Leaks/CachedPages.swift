// leak: 2 Page
// change: Call removeAllObjects() on the NSCache<
// Foundation's cache links its entries both ways, and does not take them apart when it is freed.
import Foundation
final class Page {
  let text: String
  init(_ text: String) { self.text = text }
}
final class Reader {
  private let cache = NSCache<NSString, Page>()
  func page(_ key: String) -> Page {
    if let page = cache.object(forKey: key as NSString) { return page }
    let page = Page("page \(key)") // ALLOC
    cache.setObject(page, forKey: key as NSString)
    return page
  }
  #if CLEAN
  deinit { cache.removeAllObjects() }
  #endif
}
@inline(never) func read() -> Int {
  let reader = Reader()
  return ["a", "b", "a"].reduce(0) { $0 + reader.page($1).text.utf8.count } // KEPT
}
print(read())
