import Foundation

/// An in-memory store, shared by contexts on any thread.
final class PersistentStoreCoordinator: @unchecked Sendable {
  private let lock = NSLock()
  private var rows: [ManagedObjectID: Row] = [:]
  private var lastNumber = 0

  /// An ID that is permanent as soon as the store has its row.
  func newID() -> ManagedObjectID {
    lock.withLock {
      lastNumber += 1
      return ManagedObjectID(number: lastNumber)
    }
  }

  func row(_ id: ManagedObjectID) -> Row? { lock.withLock { rows[id] } }

  /// IDs of the rows that match, in order.
  func ids(where matches: (Row) -> Bool) -> [ManagedObjectID] {
    lock.withLock { rows.filter { matches($0.value) }.keys.sorted() }
  }

  func commit(_ changes: [ManagedObjectID: Row?]) {
    lock.withLock { for (id, row) in changes { rows[id] = row } }
  }
}
