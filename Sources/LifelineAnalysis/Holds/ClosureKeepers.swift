import LifelineHeap

/// What refers to certain nodes at the end of a process, through closures, memory without a class, and tasks.
///
/// A closure referenced by an object, a collection, a captured variable or a global variable is the program's way of
/// owning. One referenced only by threads, tasks and queues waits to run or is running.
struct ClosureKeepers {
  private let graph: HeapGraph
  private var referrers: [Int: [Int]] = [:]
  /// Nodes with a reference that may last.
  private var owned: Set<Int> = []

  private static let rounds = 8
  private static let nodeLimit = 4096

  init(of nodes: Set<Int>, in heap: HeapSnapshot) {
    graph = heap.graph
    var known = nodes, frontier = nodes
    // Each round scans every reference of the heap.
    var isInFrontier = [Bool](repeating: false, count: graph.count)
    for _ in 0..<Self.rounds where !frontier.isEmpty {
      for node in frontier { isInFrontier[node] = true }
      defer { for node in known { isInFrontier[node] = false } }
      var next: Set<Int> = []
      for source in 0..<graph.count {
        for edge in graph.edges(from: source) where isInFrontier[graph.target(of: edge)] {
          let target = graph.target(of: edge)
          guard [.closure, .memory, .task].contains(graph.type(of: source).kind) else {
            owned.insert(target)
            continue
          }
          referrers[target, default: []].append(source)
          if known.insert(source).inserted { next.insert(source) }
        }
      }
      // An owned node needs no further search.
      frontier = next.count > Self.nodeLimit ? [] : next
      if frontier.isEmpty { owned.formUnion(next) }
    }
    owned.formUnion(frontier)
    for root in graph.roots where known.contains(root.target) && Self.mayLast(root, heap) { owned.insert(root.target) }
  }

  /// The main thread's stack has the variables of functions that the end of the program interrupts.
  private static func mayLast(_ root: HeapRoot, _ heap: HeapSnapshot) -> Bool {
    let place = heap.graph.places[root.place]
    return switch root.kind {
    case .task, .queue, .threadLocal, .register: false
    case .variable: true
    case .stack: place.base == UInt64(heap.process)
    case .global, .memory: !place.name.hasSuffix("libdispatch.so")
    }
  }

  /// The captures of an object.
  struct Captures {
    /// Contexts of closures.
    var contexts: [Int] = []
    /// Blocks whose closure captured only the object, which is then the context itself.
    var blocks = 0
    /// Words in the frames of tasks; some may be left over from earlier contents.
    var frames = 0
  }

  /// The captures that account for all references to an object, if the closures are waiting to run or running; nil if
  /// other references may exist.
  func keepers(of node: Int) -> Captures? {
    var captures = Captures()
    for source in Set(referrers[node] ?? []) {
      for edge in graph.edges(from: source) where graph.target(of: edge) == node {
        switch graph.type(of: source).kind {
        case .closure: captures.contexts.append(source)
        case .memory where graph.function(of: edge) != nil: captures.blocks += 1
        case .task: captures.frames += 1
        case .memory where isFrame(source): captures.frames += 1
        default: break
        }
      }
    }
    let count = Int(graph.strongCounts[node])
    let known = captures.contexts.count + captures.blocks
    guard count > 0, known + captures.frames >= count else { return nil }
    if known >= count { captures.frames = 0 }
    // Another reference on a stack may be a variable.
    if captures.frames > 0, graph.roots.contains(where: { $0.target == node }) { return nil }
    var reached: Set<Int> = [node]
    var work = [node]
    while let next = work.popLast() {
      // Keeping a task is owning the task, not what it works on.
      if graph.type(of: next).kind == .task { continue }
      if owned.contains(next) { return nil }
      for source in referrers[next] ?? [] where reached.insert(source).inserted { work.append(source) }
    }
    return captures
  }

  /// Whether memory contains task frames: only tasks and such memory refer to it.
  private func isFrame(_ memory: Int) -> Bool {
    var reached: Set<Int> = [memory]
    var work = [memory]
    var isHeldByTask = false
    while let next = work.popLast() {
      for source in referrers[next] ?? [] {
        switch graph.type(of: source).kind {
        case .task: isHeldByTask = true
        case .memory: if reached.insert(source).inserted { work.append(source) }
        default: return false
        }
      }
    }
    return isHeldByTask
  }
}
