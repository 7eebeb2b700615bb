/// Words in the frames of suspended tasks that do not keep the objects to which they refer: certain references are as
/// many as the object's strong count.
///
/// Unoptimized code leaves variables of an earlier round of a loop in the frame, such as what `guard let self` took
/// before the task went to sleep. A frame may also borrow an object; but then another reference owns it, and is
/// counted.
struct LeftOverFrameWords {
  /// The addresses of the words.
  private(set) var addresses: Set<UInt64> = []
  /// Numbers of their edges.
  private(set) var edges: [Int] = []

  /// O(edges), if frames refer to objects.
  init(_ graph: HeapGraph) {
    var words: [Int: [Int]] = [:]
    let frames = Self.frames(of: graph)
    for frame in frames {
      for edge in graph.edges(from: frame) {
        let target = graph.target(of: edge)
        guard graph.type(of: target).kind == .object, graph.strongCounts[target] > 0, !graph.isImmortal(target),
          !graph.isDeinited(target)
        else { continue }
        words[target, default: []].append(edge)
      }
    }
    guard !words.isEmpty else { return }
    var certain: [Int: UInt32] = [:]
    for node in 0..<graph.count where graph.type(of: node).kind != .memory && !graph.isDeinited(node) {
      for edge in graph.edges(from: node) where words[graph.target(of: edge)] != nil {
        if LeftOverWords.isCertain(edge, of: node, in: graph) { certain[graph.target(of: edge), default: 0] += 1 }
      }
    }
    for (target, own) in words where certain[target, default: 0] >= graph.strongCounts[target] { edges += own }
    guard !edges.isEmpty else { return }
    for frame in frames {
      let own = graph.edges(from: frame)
      for edge in edges where own.contains(edge) {
        addresses.insert(graph.addresses[frame] + UInt64(graph.offset(of: edge)))
      }
    }
  }

  /// The memory with the frames of tasks that can be resumed.
  private static func frames(of graph: HeapGraph) -> Set<Int> {
    let tasks = graph.tasks.keys.map { Int($0) }.filter(graph.isUnfinishedTask)
    guard !tasks.isEmpty else { return [] }
    let reachable = ReachableNodes(graph)
    return Set(
      tasks.filter(reachable.contains).flatMap { task in
        graph.edges(from: task).filter { graph.offset(of: $0) == HeapGraph.frameOffset }.map { graph.target(of: $0) }
      })
  }
}
