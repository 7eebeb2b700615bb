/// The messages of a fetched results controller; an Objective-C object would be asked which of them it responds to.
enum FetchedResultsSelector { case willChangeContent, didChangeObject, didChangeContent }

enum ObjectChange { case insert, update, delete }

class FetchedResultsControllerDelegate {
  /// The messages that this object implements.
  var selectors: Set<FetchedResultsSelector> { [] }
  func controllerWillChangeContent() {}
  func controller(didChange id: ManagedObjectID, _ change: ObjectChange) {}
  func controllerDidChangeContent() {}
}
