// leak: 1 List, 5 Item
// path: List.first, Item.list
// A doubly linked list with strong references both ways; its items refer to the list itself.
final class Item {
  var next: Item?
  #if CLEAN
  weak var previous: Item?
  weak var list: List?
  #else
  var previous: Item?
  var list: List?
  #endif
}
final class List {
  var first: Item?, last: Item?
  @inline(never) func append() {
    let item = Item() // ALLOC
    item.list = self // KEPT
    item.previous = last // KEPT
    last?.next = item // KEPT-CALL
    last = item // KEPT-CALL
    if first == nil { first = item }
  }
}
@inline(never) func fill() -> Bool {
  let list = List() // ALLOC
  for _ in 0..<5 { list.append() } // KEPT-CALL
  return list.first != nil
}
print(fill())
