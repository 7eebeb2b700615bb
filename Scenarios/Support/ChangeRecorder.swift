/// A delegate that counts what it is told of each object.
class ChangeRecorder: FetchedResultsControllerDelegate {
  private(set) var inserts = 0
  private(set) var updates = 0
  private(set) var deletes = 0

  override var selectors: Set<FetchedResultsSelector> { [.didChangeObject] }

  override func controller(didChange id: ManagedObjectID, _ change: ObjectChange) {
    switch change {
    case .insert: inserts += 1
    case .update: updates += 1
    case .delete: deletes += 1
    }
  }

  var text: String { "\(inserts) inserts, \(updates) updates, \(deletes) deletes" }
}
