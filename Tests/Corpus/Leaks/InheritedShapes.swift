// leak: 1 Sum, 1 Product, 2 Literal, 1 Name
// findings: 1
// path: Sum.parts, Literal.parent
// change: Node.parent weak
// One property of a superclass makes cycles of objects of several subclasses, each allocated by a different function.
class Node {
  #if CLEAN
  weak var parent: Node?
  #else
  var parent: Node?
  #endif
  @inline(never) func attach(to node: Node) { parent = node } // KEPT
}
final class Literal: Node { var number = 1 }
final class Name: Node { var text = "x" }
final class Sum: Node { var parts: [Node] = [] }
final class Product: Node { var first: Node?, second: Node? }
@inline(never) func makeSum() -> Int {
  let sum = Sum(), literal = Literal() // ALLOC
  literal.attach(to: sum) // KEPT-CALL
  sum.parts.append(literal)
  return sum.parts.count
}
@inline(never) func makeProduct() -> Bool {
  let product = Product(), literal = Literal(), name = Name() // ALLOC
  literal.attach(to: product) // KEPT-CALL
  name.attach(to: product) // KEPT-CALL
  product.first = literal
  product.second = name
  return product.first === literal
}
print(makeSum(), makeProduct())
