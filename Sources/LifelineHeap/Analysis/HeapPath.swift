/// How a root leads to a node: the root, and the references from node to node.
public struct HeapPath: Hashable, Sendable {
  /// A node on the path and its reference to the next one.
  public struct Step: Hashable, Sendable {
    public let node: Int
    /// Number of the edge to the next node; nil for the last.
    public let edge: Int?

    public init(node: Int, edge: Int?) {
      self.node = node
      self.edge = edge
    }
  }

  /// Nil for a cycle, which begins and ends with the same node.
  public let root: HeapRoot?
  public let steps: [Step]

  public init(root: HeapRoot?, steps: [Step]) {
    self.root = root
    self.steps = steps
  }
}
