import LifelineHeap
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// Turns paths through leaked nodes into steps that say what refers to what through which property.
struct LeakPathInspector {
  let nodes: LostNodes
  private var graph: HeapGraph { nodes.graph }

  /// Closing edges of a cycle that are tried.
  private static let closingLimit = 16

  /// Around a cycle, over the first of some closing edges with which it needs no doubtful words, or at least none that
  /// are left over; the first and the last step are the same node: the one that such an edge leads to or, with
  /// `fromHolder`, the one that has it.
  func cycle(of group: LostGroup, closedBy edges: [Int], fromHolder: Bool = false) -> [LeakStep] {
    let core = Set(group.core)
    for isExcluded in exclusions(group, group.core) {
      for last in edges.prefix(Self.closingLimit) where !isExcluded(last) {
        let start = graph.target(of: last)
        let way = shortest(from: start, to: graph.source(of: last), within: core, without: isExcluded)
        if let way { return cycle(way + [last], closedBy: last, group, fromHolder: fromHolder) }
      }
    }
    return []
  }

  /// Which words are not followed, fewest last.
  private func exclusions(_ group: LostGroup, _ members: [Int]) -> [(Int) -> Bool] {
    let frames = frames(of: members)
    func isLeftOver(_ edge: Int) -> Bool { group.leftOver.contains(edge) }
    return [{ isLeftOver($0) || isDoubtful($0, frames) }, isLeftOver, { _ in false }]
  }

  private func cycle(_ way: [Int], closedBy last: Int, _ group: LostGroup, fromHolder: Bool) -> [LeakStep] {
    let start = graph.target(of: last)
    let round = [start] + way.dropLast().map { graph.target(of: $0) }
    // Users think of objects, and of the program's own first, so a path does not begin at storage or library memory.
    let isObject = { (node: Int) in graph.type(of: node).kind == .object }
    let first =
      nodes.isOwn(start) && !fromHolder
      ? 0 : round.lastIndex(where: nodes.isOwn) ?? (isObject(start) ? 0 : round.lastIndex(where: isObject) ?? 0)
    return steps(Array(way[first...] + way[..<first]), from: round[first], cut: [last], group)
  }

  /// From an unreferenced node to an object.
  func way(from start: Int, to end: Int, within group: LostGroup) -> [LeakStep] {
    let members = Set(group.members)
    let way = exclusions(group, group.members).lazy.compactMap {
      shortest(from: start, to: end, within: members, without: $0)
    }.first
    return steps(way ?? [], from: start, cut: [], group)
  }

  /// The memory of tasks' frames: a slab refers to the next one.
  private func frames(of members: [Int]) -> Set<Int> {
    var found: Set<Int> = [], next = members.filter { graph.type(of: $0).kind == .task }
    while let node = next.popLast() {
      for target in graph.edges(from: node).map(graph.target)
      where graph.type(of: target).kind == .memory && found.insert(target).inserted { next.append(target) }
    }
    return found
  }

  /// Whether a word may be left over from earlier contents, as in C memory that the program has not written yet, or in
  /// an array behind a small value of type `Any`; or may be a mere address, such as an `Int`.
  private func isDoubtful(_ edge: Int, _ frames: Set<Int>) -> Bool {
    let source = graph.source(of: edge)
    return nodes.boxes.isLeftOver(edge, in: graph) || graph.field(of: edge)?.content == .word
      || graph.type(of: source).kind == .memory && !frames.contains(source)
      || graph.type(of: source).kind == .storage && nodes.boxes.hasLeftOver(graph.target(of: edge), in: graph)
  }

  private func shortest(
    from start: Int, to end: Int, within members: Set<Int>, without isExcluded: (Int) -> Bool
  ) -> [Int]? {
    if start == end { return [] }
    var before: [Int: Int] = [:]
    var queue = [start], next = 0
    while next < queue.count {
      let here = queue[next]
      next += 1
      for edge in graph.edges(from: here) {
        let target = graph.target(of: edge)
        guard members.contains(target), target != start, before[target] == nil else { continue }
        if isExcluded(edge) { continue }
        before[target] = edge
        if target == end { return back(from: end, to: start, before) }
        queue.append(target)
      }
    }
    return nil
  }

  private func back(from end: Int, to start: Int, _ before: [Int: Int]) -> [Int] {
    var edges: [Int] = []
    var here = end
    while here != start, let edge = before[here] {
      edges.append(edge)
      here = graph.source(of: edge)
    }
    return edges.reversed()
  }

  private func offsets(of edge: Int) -> [FieldOffset] {
    let offset = graph.offset(of: edge)
    let field = graph.field(of: edge)
    let inMetadata = field.flatMap { field in
      field.offsetWord.map { FieldOffset.inMetadata($0, plus: offset - field.offset) }
    }
    return [.constant(offset)] + (inMetadata.map { [$0] } ?? [])
  }

  private func steps(_ edges: [Int], from start: Int, cut: Set<Int>, _ group: LostGroup) -> [LeakStep] {
    var result: [LeakStep] = []
    let holders = holders(edges, group)
    func contextFunction(_ edge: Int) -> UInt64? {
      let isContext = [.closure, .box].contains(graph.type(of: graph.target(of: edge)).kind)
      return isContext ? graph.function(of: edge) : nil
    }
    // A cycle leads back to its first step.
    var function = edges.last.flatMap { graph.target(of: $0) == start ? contextFunction($0) : nil }
    var first: Int?
    for edge in edges {
      let source = graph.source(of: edge)
      let next = graph.function(of: edge)
      // A closure whose context is the captured object itself has no node: it becomes a step between the two.
      let isBare = next != nil && graph.type(of: graph.target(of: edge)).kind == .object
      var step = step(source, property: graph.property(of: edge), function: function)
      step.isCut = cut.contains(edge) && !isBare
      if graph.type(of: source).kind == .object { first = edge }
      step.isHeldTwice = first.map { isHeldTwice(graph.target(of: edge), besides: $0) } ?? false
      if step.kind == .object || step.kind == .variable, let count = holders[Place(of: edge, in: graph)] {
        step.place = (offsets(of: edge), count)
      }
      // Consecutive blocks of plain memory say no more than one.
      if step.kind == .memory, let last = result.last, last.kind == .memory {
        step.bytes += last.bytes
        result.removeLast()
      }
      result.append(step)
      if isBare {
        var closure = LeakStep(kind: .closure, function: next)
        closure.isCut = cut.contains(edge)
        result.append(closure)
      }
      function = contextFunction(edge)
    }
    result.append(step(edges.last.map { graph.target(of: $0) } ?? start, property: nil, function: function))
    return result
  }

  private struct Place: Hashable {
    let target: Int
    let offset: Int

    init(of edge: Int, in graph: HeapGraph) {
      target = graph.target(of: edge)
      offset = graph.offset(of: edge)
    }
  }

  /// In larger groups holders are not counted.
  private static let groupLimit = 100_000

  /// How many nodes of a group have the target of an edge at the same offset. Only lost nodes refer to a lost one.
  private func holders(_ edges: [Int], _ group: LostGroup) -> [Place: Int] {
    guard group.members.count <= Self.groupLimit else { return [:] }
    var counts = Dictionary(edges.map { (Place(of: $0, in: graph), 0) }) { first, _ in first }
    for edge in group.members.lazy.flatMap({ graph.edges(from: $0) }) { counts[Place(of: edge, in: graph)]? += 1 }
    return counts
  }

  /// Elements of an array or the like that are compared.
  private static let elementLimit = 1_000

  /// Whether the holder of a property's edge refers to a node in another property, directly or as an element.
  private func isHeldTwice(_ node: Int, besides first: Int) -> Bool {
    graph.edges(from: graph.source(of: first)).contains { edge in
      let target = graph.target(of: edge)
      guard edge != first else { return false }
      return target == node
        || target != graph.target(of: first) && graph.type(of: target).kind != .object
          && graph.edges(from: target).prefix(Self.elementLimit).contains { graph.target(of: $0) == node }
    }
  }

  private func step(_ node: Int, property: String?, function: UInt64?) -> LeakStep {
    let type = graph.type(of: node)
    let kind: LeakStep.Kind =
      switch type.kind {
      case _ where nodes.boxes.variables.contains(node): .variable
      case _ where nodes.boxes.values.contains(node): .storage
      case .object: .object
      case .closure: .closure
      case .storage, .other: .storage
      // A box that a function refers to is a closure's context: the runtime uses the same kind for both.
      case .box: function == nil ? .storage : .closure
      case .task: .task
      case .memory: .memory
      }
    return LeakStep(
      kind: kind, className: nodes.boxes.values.contains(node) ? LeakStep.boxName : type.name, object: nodes.id(node),
      property: property, function: function, waitsIn: graph.functions(ofTask: node),
      waitsFor: graph.task(node)?.wait, bytes: graph.size(of: node))
  }
}
