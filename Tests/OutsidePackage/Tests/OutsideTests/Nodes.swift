class Node {
  var next: Node?
  weak var previous: Node?
  unowned var owner: Node?
  var list: [Node] = []
  var onChange: (() -> Void)?
}

// Each test has its own classes, so that their objects have the same numbers whatever else runs.
final class CleanNode: Node {}
final class CycleNode: Node {}
final class ClosureNode: Node { var changes = 0 }
final class AsyncNode: Node {}
final class TaskNode: Node {}
final class ScopeNode: Node {}
final class AsyncScopeNode: Node {}
final class KeptNode: Node {}
final class MadeNode: Node {}
final class Holder {
  var child: Node?
  var byName: [String: Node] = [:]
  weak var unheld: Node?
}
final class HeldNode: Node {}
final class InnerNode: Node {}
final class OuterNode: Node {}
final class LateNode: Node {}
final class EarlyNode: Node {}
final class LegacyNode: Node {}
final class LostNode: Node {}
final class LongNode: Node {}
final class ShortNode: Node {}
final class StayingNode: Node {}
nonisolated(unsafe) var keptByMistake: StayingNode?

final class CacheEntry {}
final class Cache {
  nonisolated(unsafe) static let shared = Cache()
  var entries: [CacheEntry] = []
}
final class SessionEntry {}
final class SessionCache {
  nonisolated(unsafe) static let shared = SessionCache()
  var entries: [SessionEntry] = []
}
nonisolated(unsafe) var keptByGlobal: KeptNode?
final class RunNode: Node {}
