// leak: 2 Node
// path: Node.next, Node.previous
// A cycle of one generic class.
final class Node<Value> {
  let value: Value
  var next: Node?
  #if CLEAN
  weak var previous: Node?
  #else
  var previous: Node?
  #endif
  init(_ value: Value) { self.value = value }
}
@inline(never) func link<Value>(_ a: Value, _ b: Value) -> Value {
  let first = Node(a) // ALLOC
  let second = Node(b) // ALLOC
  first.next = second
  second.previous = first // KEPT
  return first.next!.value
}
print(link("a", "b"))
