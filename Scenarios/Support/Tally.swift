import Synchronization

/// Counts what happens, on any thread.
final class Tally: Sendable {
  private let value = Atomic(0)
  func add() { value.add(1, ordering: .sequentiallyConsistent) }
  var count: Int { value.load(ordering: .sequentiallyConsistent) }
}
