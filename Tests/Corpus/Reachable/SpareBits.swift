// References in enums that use spare bits, in strings, in bridged storage and in existentials.
import Foundation
final class A { var value = 1 }
final class B { var value = 2 }
enum Either { case a(A), b(B), c([A]), d(String), none }
indirect enum Tree { case leaf(A), node(Tree, Tree) }
var values: [Either] = [.none]
var tree = Tree.leaf(A())
var anything: [Any] = []
var optional: A??? = .none
var objects = NSMutableDictionary()
@inline(never) func fill() -> Int {
  values = [.a(A()), .b(B()), .c([A(), A()]), .d("a long string that is not small at all"), .none]
  tree = .node(tree, .node(.leaf(A()), .leaf(A())))
  anything = [A(), (1, B()), [B()], "x" as Any, Either.b(B())]
  optional = .some(.some(.some(A())))
  objects["key"] = A()
  return values.count + anything.count
}
print(fill(), optional != nil, objects.count)
