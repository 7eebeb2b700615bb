// leak: 1 Sum, 2 Literal
// path: Sum.children, Literal.parent
// change: Node.parent weak
// The property of the cycle is a superclass's, so all subclasses inherit it.
class Node {
  #if CLEAN
  weak var parent: Node?
  #else
  var parent: Node?
  #endif
  var children: [Node] = []
  @inline(never) func adopt(_ node: Node) {
    node.parent = self // KEPT
    children.append(node) // KEPT
  }
  func value() -> Int { 0 }
}
final class Literal: Node {
  let number: Int
  init(_ number: Int) { self.number = number }
  override func value() -> Int { number }
}
final class Sum: Node {
  override func value() -> Int { children.reduce(0) { $0 + $1.value() } }
}
@inline(never) func parse() -> Node {
  let sum = Sum() // ALLOC
  sum.adopt(Literal(1)) // KEPT-CALL
  sum.adopt(Literal(2)) // KEPT-CALL
  return sum
}
@inline(never) func run() { print(parse().value()) }
run()
