/// Distinguishes boxes of single values from closure contexts, which have the same metadata.
///
/// Wherever Swift refers to a context, its function is next to the reference; for a box it never is. A node that plain
/// memory or a task refers to may still be a context.
public struct HeapBoxes: Sendable {
  /// Boxes of variables that closures captured: only contexts and boxes refer to them.
  public let variables: Set<Int>
  /// Boxes of values in an object's properties, in storage, or in another such box: indirect cases, and values of
  /// protocol types.
  public let values: Set<Int>
  /// Contexts that are next to their function somewhere.
  private let contexts: Set<Int>

  /// O(edges).
  public init(_ graph: HeapGraph) {
    var variables: Set<Int> = [], values: Set<Int> = [], contexts: Set<Int> = [], sure: Set<Int> = []
    func isContext(_ node: Int) -> Bool { [.closure, .box].contains(graph.type(of: node).kind) }
    for node in 0..<graph.count {
      for edge in graph.edges(from: node) where isContext(graph.target(of: edge)) {
        let target = graph.target(of: edge)
        if graph.function(of: edge) != nil { sure.insert(target) }
        switch graph.type(of: node).kind {
        case _ where graph.function(of: edge) != nil, .memory, .task: contexts.insert(target)
        case .closure, .box: variables.insert(target)
        case .object, .storage, .other: values.insert(target)
        }
      }
    }
    values.subtract(contexts)
    var new = Array(values)
    while let box = new.popLast() {
      for edge in graph.edges(from: box) {
        let target = graph.target(of: edge)
        guard variables.contains(target), !contexts.contains(target), values.insert(target).inserted else { continue }
        new.append(target)
      }
    }
    self.variables = variables.subtracting(contexts).subtracting(values)
    self.values = values
    self.contexts = sure
  }

  /// Whether an object's word is left over from earlier contents: it points to a context without its function.
  public func isLeftOver(_ edge: Int, in graph: HeapGraph) -> Bool {
    graph.type(of: graph.source(of: edge)).kind == .object && graph.function(of: edge) == nil
      && contexts.contains(graph.target(of: edge))
  }
}
