// Two hundred thousand objects in a list and a tree, all alive.
final class Node { var next: Node?; var value: Int; init(_ value: Int, _ next: Node?) { self.value = value; self.next = next } }
final class Tree { var left: Tree?, right: Tree?; init(_ depth: Int) { if depth > 0 { left = Tree(depth - 1); right = Tree(depth - 1) } } }
var list: Node?
@inline(never) func build() -> Tree {
  for value in 0..<140_000 { list = Node(value, list) }
  return Tree(15)
}
let tree = build()
print(list!.value, tree.left != nil)
