/// What is freed if references within a lost group are removed, according to reference counting.
///
/// An object is freed when no reference to it is left; then its own references go. Its count is the one in its header
/// if known, so references from outside the group keep it alive, as in reality. Memory without a count belongs to what
/// refers to it: blocks that refer to each other go together once nothing else of the group refers to any of them. A
/// task that has not ended keeps itself. Words of plain memory and of frames may not be references, nor those of values
/// like `Unmanaged`: however many of them go, an object that another object still refers to stays.
public struct EdgeCut: Hashable, Sendable {
  /// Freed nodes, in order of address.
  public let freed: [Int]
  /// Remaining nodes of the group.
  public let kept: [Int]

  public var freesAll: Bool { kept.isEmpty }

  /// Cuts edges of a group, by number, and removes nodes that `end` by themselves, such as a task. `elsewhere` has the
  /// numbers of references to members that do not count, because what holds them goes too.
  public init(
    _ cut: Set<Int>, ending: [Int] = [], elsewhere: [Int: Int] = [:], of group: LostGroup, in graph: HeapGraph
  ) {
    let nodes = Set(group.members)
    let units = MemoryUnits(group, graph)
    var counts: [Int: Int] = [:]
    // References from objects, whose layouts are known, except in values that may not own what they refer to.
    var certain: [Int: Int] = [:]
    func isCertain(_ edge: Int, from source: Int) -> Bool {
      ![HeapType.Kind.memory, .task].contains(graph.type(of: source).kind) && !graph.isOfUnknownValue(edge)
    }
    for node in group.members {
      for edge in graph.edges(from: node)
      where !units.isWithin(node, graph.target(of: edge)) && !group.leftOver.contains(edge) {
        let unit = units.unit(of: graph.target(of: edge))
        counts[unit, default: 0] += 1
        if isCertain(edge, from: node) { certain[unit, default: 0] += 1 }
      }
    }
    for node in group.members where graph.strongCounts[node] > 0 {
      let count = Int(graph.strongCounts[node])
      counts[node] = elsewhere[node].map { max(count - $0, min(count, counts[node] ?? 0)) } ?? count
    }
    var doubtful: Set<Int> = []
    var freed: Set<Int> = []
    var work: [Int] = []
    func free(_ unit: Int) {
      for node in units.members(of: unit) where freed.insert(node).inserted { work.append(node) }
    }
    func drop(_ edge: Int, from source: Int) {
      let target = graph.target(of: edge)
      guard nodes.contains(target), !freed.contains(target), !units.isWithin(source, target),
        !group.leftOver.contains(edge), !graph.isUnfinishedTask(target)
      else { return }
      let unit = units.unit(of: target)
      counts[unit, default: 0] -= 1
      if isCertain(edge, from: source) { certain[unit, default: 0] -= 1 } else { doubtful.insert(unit) }
      if counts[unit]! <= 0, !doubtful.contains(unit) || certain[unit, default: 0] <= 0 { free(unit) }
    }
    for node in ending { free(units.unit(of: node)) }
    for edge in cut.sorted() { drop(edge, from: graph.source(of: edge)) }
    while let node = work.popLast() {
      for edge in graph.edges(from: node) where !cut.contains(edge) { drop(edge, from: node) }
    }
    self.freed = freed.sorted()
    kept = group.members.filter { !freed.contains($0) }
  }
}

/// Merges blocks of plain memory in a group that refer to each other; every other node is its own unit.
private struct MemoryUnits {
  private var units: [Int: Int] = [:]
  private var nodes: [Int: [Int]] = [:]

  init(_ group: LostGroup, _ graph: HeapGraph) {
    let memory = Set(group.members.filter { graph.type(of: $0).kind == .memory })
    var neighbors: [Int: [Int]] = [:]
    for node in memory {
      for edge in graph.edges(from: node) where memory.contains(graph.target(of: edge)) {
        neighbors[node, default: []].append(graph.target(of: edge))
        neighbors[graph.target(of: edge), default: []].append(node)
      }
    }
    for start in memory.sorted() where units[start] == nil {
      var queue = [start]
      units[start] = start
      while let node = queue.popLast() {
        nodes[start, default: []].append(node)
        for other in neighbors[node] ?? [] where units[other] == nil {
          units[other] = start
          queue.append(other)
        }
      }
    }
  }

  func unit(of node: Int) -> Int { units[node] ?? node }
  func members(of unit: Int) -> [Int] { nodes[unit] ?? [unit] }
  /// Whether both are blocks of the same unit.
  func isWithin(_ node: Int, _ other: Int) -> Bool { units[node] != nil && units[node] == units[other] }
}
