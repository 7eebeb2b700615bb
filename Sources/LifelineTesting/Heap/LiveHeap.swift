import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Which objects of this process keep which alive, according to its memory right now; queried by address.
///
/// Properties are known from the runtime's reflection; storage of arrays and dictionaries, boxes and closures are
/// searched word by word, so a number that looks like an address counts as a reference.
struct LiveHeap {
  /// An object that keeps another one alive, and what is in between.
  struct Holder {
    let address: UInt64
    let property: String
    /// Closures, boxes and storage in between, the holder's side first.
    let between: [UInt64]
  }

  /// The recorded live objects, by address.
  let objects: [UInt64: TrackedObject]
  /// Why the memory could not be read; then nothing is known.
  let problem: String?
  private let graph: HeapGraph
  /// By type in the graph: instances of recorded classes, which users think of as objects.
  private let isObjectType: [Bool]
  /// By type in the graph: what the expectations remember keeps nothing alive.
  private let isSilent: [Bool]

  init(objects: [UInt64: TrackedObject], classes: [Int: ClassRecord]) {
    self.objects = objects
    let recorded = Set(classes.values.filter { $0.sort == .object }.map(\.metadata))
    var graph = HeapGraph.empty
    var problem: String?
    do {
      var memory = HeapMemory(try ProcessCopy())
      // The runtime is only asked about certain classes.
      memory.fields = { recorded.contains($0) ? PropertyLayout.fields(of: $0) : nil }
      graph = HeapScanner(memory).graph(from: objects.keys.sorted())
    } catch {
      problem = "\(error)"
    }
    isObjectType = graph.types.map { recorded.contains($0.metadata) }
    isSilent = graph.types.map { type in Self.silentModules.contains { type.name.hasPrefix("\($0).") } }
    self.graph = graph
    self.problem = problem
  }

  private static let silentModules = [
    "LifelineTesting", "LifelineHeap", "LifelineLifetimes", "LifelineSymbolication", "LifelineTrace",
  ]

  /// The names of all classes with an object in the heap now, with and without their modules.
  static func classes() -> Set<String> {
    guard let copy = try? ProcessCopy() else { return [] }
    let types = HeapScanner(HeapMemory(copy)).graph().types.filter { $0.kind == .object }
    return Set(types.map(\.name) + types.map(\.shortName))
  }

  /// Whether the address is a recorded instance of a class of the program's own.
  func isObject(_ address: UInt64) -> Bool { graph.node(at: address).map(isObject) ?? false }

  func isClosure(_ address: UInt64) -> Bool { graph.node(at: address).map { graph.type(of: $0).kind } == .closure }

  private func isObject(_ node: Int) -> Bool {
    isObjectType[graph.typeIndex(of: node)] && objects[graph.addresses[node]] != nil
  }

  /// The objects that keep an object alive, in order of allocation. O(references of the live objects).
  func holders(of address: UInt64) -> [Holder] {
    guard let goal = graph.node(at: address) else { return [] }
    let ways = ways(to: goal)
    var holders: [(object: TrackedObject, holder: Holder)] = []
    for node in 0..<graph.count where isObject(node) && counts(node) {
      guard let object = objects[graph.addresses[node]] else { continue }
      var seen: Set<String> = []
      for edge in graph.edges(from: node) {
        let target = graph.target(of: edge), property = graph.property(of: edge) ?? ""
        guard ways[target] != nil, seen.insert(property).inserted else { continue }
        let between = between(target, goal, ways)
        holders.append((object, Holder(address: object.address, property: property, between: between)))
      }
    }
    return holders.sorted { $0.object.allocationSequence < $1.object.allocationSequence }.map(\.holder)
  }

  /// The addresses of global and static variables that keep an object alive without another object in between, and what
  /// is in between.
  func globals(holding address: UInt64) -> [(word: UInt64, between: [UInt64])] {
    guard let goal = graph.node(at: address) else { return [] }
    let ways = ways(to: goal)
    return graph.roots.filter { ways[$0.target] != nil }.map { ($0.address, between($0.target, goal, ways)) }
  }

  private func ways(to goal: Int) -> [Int: Int] { graph.ways(to: goal) { !isObject($0) && counts($0) } }

  private func between(_ start: Int, _ goal: Int, _ ways: [Int: Int]) -> [UInt64] {
    var between: [UInt64] = []
    var here = start
    while here != goal, let next = ways[here] {
      between.append(graph.addresses[here])
      here = next
    }
    return between
  }

  /// The shortest path from an object back to itself; nil if nothing that it keeps alive keeps it.
  func cycle(through address: UInt64) -> [(address: UInt64, property: String)]? {
    guard let node = graph.node(at: address), counts(node) else { return nil }
    let within = graph.reachable(from: node).filter(counts)
    return graph.cycle(through: node, within: within)?.steps.compactMap { step in
      step.edge.map { (graph.addresses[step.node], graph.property(of: $0) ?? "") }
    }
  }

  /// Everything that an object keeps alive, including itself only if it is part of a cycle.
  func reachable(from address: UInt64) -> Set<UInt64> {
    guard let node = graph.node(at: address), counts(node) else { return [] }
    return Set(graph.reachable(from: node).map { graph.addresses[$0] })
  }

  /// A static or immortal object keeps what it wants and is not part of a leak.
  private func counts(_ node: Int) -> Bool { !graph.isImmortal(node) && !isSilent[graph.typeIndex(of: node)] }
}
