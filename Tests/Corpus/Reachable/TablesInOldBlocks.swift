// A dictionary whose storage is in a block larger than requested: malloc does not split off 16 bytes.
import Glibc
final class Page { let text: String; init(_ text: String) { self.text = text } }
nonisolated(unsafe) var books: [[String: Page]] = []
nonisolated(unsafe) var barriers: [UnsafeMutableRawPointer] = []
@inline(never) func prepare(_ size: Int) {
  var blocks: [UnsafeMutableRawPointer] = []
  for _ in 0..<20 {
    blocks.append(malloc(size)!)
    barriers.append(malloc(size)!)
  }
  for block in blocks { free(block) }
}
@inline(never) func fill(_ pages: Int) {
  for _ in 0..<15 {
    var book: [String: Page] = [:]
    book.reserveCapacity(pages)
    for number in 0..<pages { book["page \(number)"] = Page("text") }
    books.append(book)
  }
}
// Header, a word of bits, 64 keys of 16 bytes and 64 values.
prepare(64 + 8 + 64 * 16 + 64 * 8 + 16)
fill(30)
prepare(64 + 8 + 32 * 16 + 32 * 8 + 16)
fill(20)
print(books.count)
