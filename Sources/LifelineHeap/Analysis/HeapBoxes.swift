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
  /// Words that refer to each node.
  private let words: [UInt32]

  /// O(edges).
  public init(_ graph: HeapGraph) {
    var variables: Set<Int> = [], values: Set<Int> = [], contexts: Set<Int> = [], sure: Set<Int> = []
    func isContext(_ node: Int) -> Bool { [.closure, .box].contains(graph.type(of: node).kind) }
    var words = [UInt32](repeating: 0, count: graph.count)
    for node in 0..<graph.count {
      for edge in graph.edges(from: node) {
        let target = graph.target(of: edge)
        words[target] += 1
        guard isContext(target) else { continue }
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
    self.words = words
  }

  /// Whether more words point to an object than it has references, so that some are left over from earlier contents.
  public func hasLeftOver(_ target: Int, in graph: HeapGraph) -> Bool {
    graph.strongCounts[target] > 0 && words[target] > graph.strongCounts[target]
  }

  /// Whether a word is left over from earlier contents: an object's that points to a context without its function, or
  /// one of a context that also holds the target with a function, if the target has more words than references.
  ///
  /// A captured optional closure without a value leaves its context's word as it was.
  public func isLeftOver(_ edge: Int, in graph: HeapGraph) -> Bool {
    guard graph.function(of: edge) == nil else { return false }
    let source = graph.source(of: edge), target = graph.target(of: edge)
    switch graph.type(of: source).kind {
    case .object: return contexts.contains(target)
    case .closure, .box:
      return words[target] > graph.strongCounts[target]
        && graph.edges(from: source).contains { graph.target(of: $0) == target && graph.function(of: $0) != nil }
    case .storage, .memory, .task, .other: return false
    }
  }
}
