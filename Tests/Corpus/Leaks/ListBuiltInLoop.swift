// leak: 3 Item
// path: Item.next, Item.previous
// change: Make Item.previous weak or unowned
// One function stores all references of a list that is linked both ways: only the code shows which is in which property.
final class Item {
  let name: String
  var next: Item?
  #if CLEAN
  weak var previous: Item?
  #else
  var previous: Item?
  #endif
  init(_ name: String) { self.name = name }
}
struct List {
  var first: Item?
  var last: Item?
  mutating func append(_ name: String) {
    let item = Item(name) // ALLOC
    if let last {
      last.next = item // KEPT
      item.previous = last // KEPT
    } else {
      first = item
    }
    last = item
  }
}
@inline(never) func build() -> Int {
  var list = List()
  for number in 0..<3 { list.append("item \(number)") } // KEPT-CALL
  return list.first!.name.count
}
print(build()) // KEPT-CALL
