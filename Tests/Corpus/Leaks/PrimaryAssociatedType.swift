// leak: 1 Numbers, 1 Reader
// path: Numbers.reader, Reader.feed
// change: Make Reader.feed weak or unowned
// The reference back is of a protocol type with an argument.
protocol Feed<Item>: AnyObject {
  associatedtype Item
  func next() -> Item?
}
final class Numbers: Feed {
  let reader = Reader() // ALLOC
  private var last = 0
  func next() -> Int? {
    last += 1
    return last
  }
  @inline(never) func start() {
    reader.feed = self // KEPT
  }
}
final class Reader {
  #if CLEAN
  weak var feed: (any Feed<Int>)?
  #else
  var feed: (any Feed<Int>)?
  #endif
  func read() -> Int { feed?.next() ?? 0 }
}
@inline(never) func run() -> Int {
  let numbers = Numbers() // ALLOC
  numbers.start()
  return numbers.reader.read()
}
print(run())
