/// A randomised binary search tree of objects: recursion, retains and releases at every level.
struct Treap {
  final class Node {
    let key: Int
    let priority: UInt64
    var left: Node?
    var right: Node?

    init(key: Int, priority: UInt64) {
      self.key = key
      self.priority = priority
    }
  }

  private var root: Node?

  func contains(_ key: Int) -> Bool {
    var node = root
    while let current = node {
      if key == current.key { return true }
      node = key < current.key ? current.left : current.right
    }
    return false
  }

  mutating func insert(_ key: Int, priority: UInt64) {
    root = Self.inserted(Node(key: key, priority: priority), into: root)
  }

  mutating func remove(_ key: Int) { root = Self.removed(key, from: root) }

  private static func inserted(_ node: Node, into tree: Node?) -> Node {
    guard let tree else { return node }
    if node.priority > tree.priority {
      (node.left, node.right) = split(tree, at: node.key)
      return node
    }
    if node.key < tree.key {
      tree.left = inserted(node, into: tree.left)
    } else {
      tree.right = inserted(node, into: tree.right)
    }
    return tree
  }

  private static func removed(_ key: Int, from tree: Node?) -> Node? {
    guard let tree else { return nil }
    if key == tree.key { return joined(tree.left, tree.right) }
    if key < tree.key {
      tree.left = removed(key, from: tree.left)
    } else {
      tree.right = removed(key, from: tree.right)
    }
    return tree
  }

  /// The nodes below `key` and the others.
  private static func split(_ tree: Node?, at key: Int) -> (Node?, Node?) {
    guard let tree else { return (nil, nil) }
    if tree.key < key {
      let (below, above) = split(tree.right, at: key)
      tree.right = below
      return (tree, above)
    }
    let (below, above) = split(tree.left, at: key)
    tree.left = above
    return (below, tree)
  }

  private static func joined(_ left: Node?, _ right: Node?) -> Node? {
    guard let left else { return right }
    guard let right else { return left }
    if left.priority > right.priority {
      left.right = joined(left.right, right)
      return left
    }
    right.left = joined(left, right.left)
    return right
  }
}
