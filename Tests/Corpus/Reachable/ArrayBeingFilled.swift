// `exit` while arrays are being filled: their element count is set when they are complete.
import Glibc
final class Item { let number: Int; init(_ number: Int) { self.number = number } }
struct Items: Sequence, IteratorProtocol {
  var number = 0
  mutating func next() -> Item? {
    number += 1
    if number == 8 { fillAnother() }
    return number < 12 ? Item(number) : nil
  }
}
@inline(never) func fillAnother() {
  var items: [Item] = []
  items.append(
    contentsOf: (0..<30).lazy.map {
      if $0 == 20 { end() }; return Item($0)
    })
  print(items.count)
}
@inline(never) func end() { print("end"); exit(0) }
@inline(never) func fill() -> Int { Array(Items()).count }
print(fill())
