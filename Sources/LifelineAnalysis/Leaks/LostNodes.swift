import LifelineHeap
import LifelineLifetimes

/// The nodes of a heap combined with the recording.
struct LostNodes {
  let graph: HeapGraph
  let boxes: HeapBoxes
  private let tracker: LifetimeTracker

  init(_ graph: HeapGraph, _ tracker: LifetimeTracker) {
    self.graph = graph
    boxes = HeapBoxes(graph)
    self.tracker = tracker
  }

  /// Nil if the allocation was not recorded.
  func recorded(_ node: Int) -> TrackedObject? { tracker.liveObject(at: graph.addresses[node]) }
  func isUnrecorded(_ node: Int) -> Bool { isOwn(node) && recorded(node) == nil }
  func id(_ node: Int) -> ObjectID? { recorded(node).map(tracker.id) }

  /// The event of the allocation; unrecorded nodes come last.
  func age(_ node: Int) -> UInt64 { recorded(node)?.allocationSequence ?? .max }

  /// An object of one of the program's own classes that is intended to live.
  func isOwn(_ node: Int) -> Bool { graph.isOwnObject(node) }

  /// The live object that some threads allocated last. O(live objects).
  func latest(_ isThread: (UInt32) -> Bool) -> TrackedObject? {
    tracker.liveObjects.filter { isThread($0.allocationThread) }.max { $0.allocationSequence < $1.allocationSequence }
  }

  /// The oldest of some nodes, which is the same in every run, unlike addresses.
  func oldest(of nodes: some Sequence<Int>) -> Int? {
    nodes.min { (age($0), graph.type(of: $0).name, $0) < (age($1), graph.type(of: $1).name, $1) }
  }

  /// The program's own objects among some nodes, by class, largest count first.
  func count(_ nodes: [Int]) -> [Leak.ClassCount] {
    var counts: [Int: Int] = [:]
    for node in nodes where isOwn(node) { counts[graph.typeIndex(of: node), default: 0] += 1 }
    var byName: [String: Int] = [:]
    for (type, count) in counts { byName[graph.types[type].name, default: 0] += count }
    return byName.map { Leak.ClassCount(className: $0.key, count: $0.value) }.sorted {
      ($1.count, $0.className) < ($0.count, $1.className)
    }
  }

  func bytes(_ nodes: [Int]) -> Int { nodes.reduce(0) { $0 + graph.size(of: $1) } }
}
