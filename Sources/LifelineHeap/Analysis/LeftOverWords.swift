/// Words of lost objects that are left over from earlier contents of a property, such as the payload of an enum's
/// earlier case, or an optional struct's: others refer to the object as often as it has references.
///
/// Only properties and captures whose type shows that they refer to an object or to nothing prove that, closures'
/// contexts, and elements of an array or the like of the object's class. Of an object with more words than references,
/// a word in such a property of its own is the one left over: few objects are their own enum's payload.
struct LeftOverWords {
  /// Numbers of edges.
  private(set) var edges: Set<Int> = []

  /// Among nodes to which nothing else refers. O(edges).
  init(_ graph: HeapGraph, among nodes: [UInt32]) {
    var doubtful: [Int: [Int]] = [:]
    for node in nodes where graph.type(of: Int(node)).kind == .object {
      for edge in graph.edges(from: Int(node)) {
        let target = graph.target(of: edge)
        guard graph.strongCounts[target] > 0, graph.type(of: target).kind == .object,
          !Self.isCertain(edge, of: Int(node), in: graph)
        else { continue }
        doubtful[target, default: []].append(edge)
      }
    }
    guard !doubtful.isEmpty else { return }
    var certain: [Int: UInt32] = [:], all: [Int: UInt32] = [:]
    for node in nodes {
      for edge in graph.edges(from: Int(node)) {
        let target = graph.target(of: edge)
        guard doubtful[target] != nil else { continue }
        all[target, default: 0] += 1
        if Self.isCertain(edge, of: Int(node), in: graph) { certain[target, default: 0] += 1 }
      }
    }
    for (target, words) in doubtful {
      if certain[target, default: 0] >= graph.strongCounts[target] {
        edges.formUnion(words)
      } else {
        let own = words.filter { graph.source(of: $0) == target }
        if Int(all[target, default: 0]) - own.count >= graph.strongCounts[target] { edges.formUnion(own) }
      }
    }
  }

  /// Whether the holder's type shows that a word is a reference to an object or nothing.
  static func isCertain(_ edge: Int, of node: Int, in graph: HeapGraph) -> Bool {
    let type = graph.type(of: node)
    switch type.kind {
    case .object, .closure:
      // A part of a struct may be in an optional without a value.
      let field = type.field(at: graph.offset(of: edge))
      return field.map { $0.content == .object && !$0.name.contains(".") } == true || graph.function(of: edge) != nil
    case .storage:
      let element = graph.type(of: graph.target(of: edge)).name
      // The storage of an array of any class.
      return ["<Swift.AnyObject>", "<\(element)>", ", \(element)>"].contains(where: type.name.hasSuffix)
    case .memory, .box, .task, .other: return false
    }
  }
}
