// class: Node
// kind: use-after-free
// A doubly linked list whose back reference is not cleared when a node is removed.
class Node {
  var next: Node?
  unowned(unsafe) var previous: Node?
  func label() -> Int { 1 }
}
final class List { var head: Node? }
@inline(never) func build(_ list: List) -> Node {
  let first = Node() // ALLOC
  let second = Node()
  first.next = second
  second.previous = first
  list.head = first
  return second
}
@inline(never) func removeFirst(_ list: List) {
  list.head = nil // FREE
}
@inline(never) func lookBack(_ node: Node) -> Int {
  node.previous!.label() // ACCESS
}
let list = List()
let second = build(list)
#if !CLEAN
removeFirst(list)
#endif
print(lookBack(second) >= 0)
second.previous = nil
removeFirst(list)
