/// Builds a graph from single nodes, edges and roots, in any order: for tests and small heaps.
///
///     var heap = HeapGraphBuilder()
///     let view = heap.addType(HeapType(kind: .object, name: "App.View", isOwn: true))
///     heap.addNode(0x1000, size: 32, type: view)
///     heap.addEdge(from: 0x1000, offset: 16, to: 0x2000)
///     let graph = heap.graph()
public struct HeapGraphBuilder {
  private struct Node {
    let address: UInt64
    let size: Int
    let type: Int
    let strongCount: Int
    let isDeinited: Bool
    let isImmortal: Bool
  }

  private struct Root {
    let kind: HeapRoot.Kind
    let target: UInt64
    let address: UInt64
    let place: Int
  }

  private var types = [HeapType.memory]
  private var places = [HeapPlace()]
  private var nodes: [UInt64: Node] = [:]
  private var edges: [UInt64: [(offset: Int, target: UInt64, function: UInt64?)]] = [:]
  private var roots: [Root] = []
  private var tasks: [UInt64: HeapTask] = [:]

  public init() {}

  /// Returns the type's index.
  public mutating func addType(_ type: HeapType) -> Int {
    types.append(type)
    return types.count - 1
  }

  /// Returns the place's index.
  public mutating func addPlace(_ place: HeapPlace) -> Int {
    places.append(place)
    return places.count - 1
  }

  /// Adds a block; a second one at the same address replaces the first. `size` is rounded up to words of 8 bytes.
  public mutating func addNode(
    _ address: UInt64, size: Int, type: Int = 0, strongCount: Int = 0, isDeinited: Bool = false,
    isImmortal: Bool = false
  ) {
    nodes[address] = Node(
      address: address, size: size, type: type, strongCount: strongCount, isDeinited: isDeinited, isImmortal: isImmortal
    )
  }

  /// Adds a strong reference between two blocks, by address; `function` is that of a closure if the target is its
  /// context.
  public mutating func addEdge(from holder: UInt64, offset: Int, to target: UInt64, function: UInt64? = nil) {
    edges[holder, default: []].append((offset, target, function))
  }

  /// The facts about a block as a task, by address.
  public mutating func addTask(_ address: UInt64, _ task: HeapTask) { tasks[address] = task }

  /// The calls on the stack of a program that called `exit`, from there outwards.
  public var exitCalls: [UInt64] = []
  /// Code that the other threads may be running.
  public var runningCode: [[UInt64]] = []
  /// Whether the main thread has ended.
  public var hasMainThreadEnded = false

  /// Adds a reference from outside of the heap.
  public mutating func addRoot(_ kind: HeapRoot.Kind, to target: UInt64, address: UInt64 = 0, place: Int = 0) {
    roots.append(Root(kind: kind, target: target, address: address, place: place))
  }

  /// The graph, without edges and roots that lead to no node.
  public func graph() -> HeapGraph {
    var graph = HeapGraph()
    graph.types = types
    graph.places = places
    graph.exitCalls = exitCalls
    graph.runningCode = runningCode
    graph.hasMainThreadEnded = hasMainThreadEnded
    let sorted = nodes.values.sorted { $0.address < $1.address }
    let numbers = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.address, $0) })
    for (address, task) in tasks { if let node = numbers[address] { graph.tasks[UInt32(node)] = task } }
    for node in sorted {
      graph.addresses.append(node.address)
      graph.wordCounts.append(UInt32((node.size + 7) / 8))
      graph.typeIndexes.append(UInt32(node.type))
      graph.strongCounts.append(UInt32(node.strongCount))
      graph.flags.append(
        (node.isDeinited ? HeapGraph.Flag.deinited : 0) | (node.isImmortal ? HeapGraph.Flag.immortal : 0))
      for edge in (edges[node.address] ?? []).sorted(by: { $0.offset < $1.offset }) {
        guard let target = numbers[edge.target] else { continue }
        graph.edgeFunctions[UInt32(graph.edgeTargets.count)] = edge.function
        graph.edgeTargets.append(UInt32(target))
        graph.edgeOffsets.append(UInt32(edge.offset))
      }
      graph.edgeStarts.append(UInt32(graph.edgeTargets.count))
    }
    graph.roots = roots.compactMap { root in
      numbers[root.target].map { HeapRoot(kind: root.kind, target: $0, address: root.address, place: root.place) }
    }
    return graph
  }
}
