// leak: 3 Item
// path: Item.next, Item.previous
// change: Make Item.previous weak or unowned
// The links follow a generic value: code that is not specialized reads their offsets in the class's metadata.
final class Item<Value> {
  let value: Value
  var next: Item<Value>?
  #if CLEAN
  weak var previous: Item<Value>?
  #else
  var previous: Item<Value>?
  #endif
  init(_ value: Value) { self.value = value }
}
struct List<Value> {
  var first: Item<Value>?
  var last: Item<Value>?
  mutating func append(_ value: Value) {
    let item = Item(value) // ALLOC
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
  var list = List<String>()
  for number in 0..<3 { list.append("item \(number)") } // KEPT-CALL
  return list.first!.value.count
}
print(build()) // KEPT-CALL
