/// Keeps every changed object, with its values before the change, until told otherwise.
final class ChangeUndoManager {
  private var actions: [(object: ManagedObject, row: Row)] = []

  var count: Int { actions.count }

  func register(_ object: ManagedObject, _ row: Row) { actions.append((object, row)) }

  func removeAllActions() { actions.removeAll() }

  /// The last change, which is forgotten.
  func takeLast() -> (object: ManagedObject, row: Row)? { actions.popLast() }
}
