/// The objects and memory blocks of a process at one moment, their references, and the references from outside.
///
/// Nodes are numbers, in order of address. Each fact about them has its own array, so that ten million nodes fit. Edges
/// are strong references, and words that may be strong references; weak and unowned references are omitted.
public struct HeapGraph: Sendable {
  /// The first one is plain memory.
  public internal(set) var types: [HeapType] = [.memory]
  /// The address of each node, ascending.
  public internal(set) var addresses: [UInt64] = []
  /// Size of each node in words of 8 bytes.
  var wordCounts: [UInt32] = []
  var typeIndexes: [UInt32] = []
  /// The strong reference count in each object's header; 0 for plain memory and if unknown.
  public internal(set) var strongCounts: [UInt32] = []
  var flags: [UInt8] = []
  /// The edges of node `n` are those from `edgeStarts[n]` up to `edgeStarts[n + 1]`.
  var edgeStarts: [UInt32] = [0]
  var edgeTargets: [UInt32] = []
  var edgeOffsets: [UInt32] = []
  /// By edge: the function in the word before the reference, if that is a code address.
  var edgeFunctions: [UInt32: UInt64] = [:]
  /// By node.
  var tasks: [UInt32: HeapTask] = [:]
  public internal(set) var roots: [HeapRoot] = []
  /// The return addresses from the function that called `exit` outwards; empty if none did, and for a main function
  /// that returned.
  public internal(set) var exitCalls: [UInt64] = []
  /// Code of the program's own that each of the other threads may be running: return addresses, and more.
  public internal(set) var runningCode: [[UInt64]] = []
  /// Whether the main thread has ended, as in `dispatchMain()`, which never returns.
  public internal(set) var hasMainThreadEnded = false
  /// The locations of roots; the first is nowhere.
  public internal(set) var places: [HeapPlace] = [HeapPlace()]

  /// Byte of a task with its frame's address, after its function's.
  static let frameOffset = 64

  enum Flag { static let deinited: UInt8 = 1, immortal: UInt8 = 2 }

  init() {}

  /// The graph with nodes that variables hold, by the place of the variables.
  public func keeping(_ held: [(nodes: [Int], place: String)]) -> HeapGraph {
    var graph = self
    for (nodes, place) in held.sorted(by: { ($0.nodes[0], $0.place) < ($1.nodes[0], $1.place) }) {
      graph.roots += nodes.map { HeapRoot(kind: .variable, target: $0, place: graph.places.count) }
      graph.places.append(HeapPlace(name: place))
    }
    return graph
  }

  /// Removes references from memory that keep nothing: they refer to their holder then.
  mutating func remove(_ edges: [Int]) {
    for edge in edges { edgeTargets[edge] = UInt32(source(of: edge)) }
  }

  /// The graph with other names of fields, by their types.
  public func renamingFields(_ name: (HeapType, String) -> String) -> HeapGraph {
    var graph = self
    graph.types = types.map { type in type.withFields(type.fields.map { $0.named(name(type, $0.name)) }) }
    return graph
  }

  /// A graph without nodes.
  public static let empty = HeapGraph()

  public var count: Int { addresses.count }
  public var edgeCount: Int { edgeTargets.count }

  /// The node's size in bytes.
  public func size(of node: Int) -> Int { Int(wordCounts[node]) * 8 }
  public func typeIndex(of node: Int) -> Int { Int(typeIndexes[node]) }
  public func type(of node: Int) -> HeapType { types[Int(typeIndexes[node])] }

  /// Its deinitializer has begun: unowned references keep its memory.
  public func isDeinited(_ node: Int) -> Bool { flags[node] & Flag.deinited != 0 }
  /// The runtime never counts its references.
  public func isImmortal(_ node: Int) -> Bool { flags[node] & Flag.immortal != 0 }
  /// An object of one of the program's own classes that is intended to live.
  public func isOwnObject(_ node: Int) -> Bool {
    type(of: node).kind == .object && type(of: node).isOwn && !isDeinited(node) && !isImmortal(node)
  }

  /// The numbers of a node's edges, in order of their offset.
  public func edges(from node: Int) -> Range<Int> { Int(edgeStarts[node])..<Int(edgeStarts[node + 1]) }

  public func target(of edge: Int) -> Int { Int(edgeTargets[edge]) }
  /// Bytes from the holder's address to the reference.
  public func offset(of edge: Int) -> Int { Int(edgeOffsets[edge]) }

  /// The node that has an edge. O(log nodes).
  public func source(of edge: Int) -> Int {
    var low = 0, high = count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if Int(edgeStarts[middle]) <= edge { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The function of a closure whose context an edge refers to: its address is in the word before the context's.
  ///
  /// A closure that only captures one object has that object itself as its context.
  public func function(of edge: Int) -> UInt64? {
    guard let function = edgeFunctions[UInt32(edge)] else { return nil }
    // If the property begins at the context's word, the word before is another property's or its padding.
    let offset = offset(of: edge)
    if let field = type(of: source(of: edge)).field(at: offset), field.offset + 8 > offset { return nil }
    return function
  }

  /// Whether a node is a task that has not ended: its frame is in separate memory, which is freed when it ends.
  public func isUnfinishedTask(_ node: Int) -> Bool {
    type(of: node).kind == .task
      && edges(from: node).contains { offset(of: $0) == Self.frameOffset && type(of: target(of: $0)).kind == .memory }
  }

  /// The program's own functions in which a suspended task resumes, innermost first; empty for other nodes.
  public func functions(ofTask node: Int) -> [UInt64] { tasks[UInt32(node)]?.functions ?? [] }

  /// The facts about a suspended task; nil for other nodes.
  public func task(_ node: Int) -> HeapTask? { tasks[UInt32(node)] }

  /// The youngest task among some nodes. A task that waits for another is older than that one.
  public func youngestTask(of nodes: some Sequence<Int>) -> Int? {
    nodes.filter { type(of: $0).kind == .task }.max {
      (tasks[UInt32($0)]?.number ?? 0, $1) < (tasks[UInt32($1)]?.number ?? 0, $0)
    }
  }

  /// The property of an edge, nil if it has none: elements, captures, plain memory.
  public func property(of edge: Int) -> String? { field(of: edge)?.name }

  /// The property of an edge, with what is known about its type.
  public func field(of edge: Int) -> HeapField? {
    type(of: source(of: edge)).field(at: offset(of: edge)).flatMap { $0.name.isEmpty ? nil : $0 }
  }

  /// The node that begins at an address. O(log nodes).
  public func node(at address: UInt64) -> Int? {
    let node = lastNode(upTo: address)
    return node >= 0 && addresses[node] == address ? node : nil
  }

  /// The node that contains an address. O(log nodes).
  public func node(containing address: UInt64) -> Int? {
    let node = lastNode(upTo: address)
    return node >= 0 && address - addresses[node] < UInt64(size(of: node)) ? node : nil
  }

  private func lastNode(upTo address: UInt64) -> Int {
    var low = 0, high = count
    while low < high {
      let middle = (low + high) / 2
      if addresses[middle] <= address { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}
