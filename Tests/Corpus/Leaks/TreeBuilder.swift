// leak: 3 Node
// path: Node.children, Node.parent
// change: Make Node.parent weak or unowned
// The initializer of a child, which runs inside of its parent's, makes itself the parent of its own children: that is
// not where its parent took it.
@resultBuilder struct TreeBuilder {
  static func buildBlock(_ nodes: Node...) -> [Node] { nodes }
}
final class Node {
  private(set) var children: [Node] = []
  #if CLEAN
  weak var parent: Node?
  #else
  var parent: Node?
  #endif
  init(@TreeBuilder _ content: () -> [Node] = { [] }) {
    children = content() // KEPT-CALL
    for child in children { child.parent = self }
  }
  var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
}
@inline(never) func page() -> Int {
  let root = Node { // ALLOC
    Node { Node() } // KEPT
  }
  return root.depth
}
print(page()) // KEPT-CALL
