import Foundation

/// Keeps the objects of a context that match a predicate, and tells a delegate what changes.
///
/// After "unowned(unsafe) var delegate" and "NSFetchedResultsController Woes": the delegate is not kept and not watched;
/// its setter learns which messages it responds to, and starts the observing of the context.
class FetchedResultsController: @unchecked Sendable {
  let context: ManagedObjectContext
  private let matches: (Row) -> Bool
  private(set) var fetchedObjects: [ManagedObject] = []
  private unowned(unsafe) var unsafeDelegate: FetchedResultsControllerDelegate?
  private var selectors: Set<FetchedResultsSelector> = []
  private var observer: NSObjectProtocol?

  init(_ context: ManagedObjectContext, where matches: @escaping (Row) -> Bool = { _ in true }) {
    self.context = context
    self.matches = matches
  }

  var delegate: FetchedResultsControllerDelegate? {
    get { unsafeDelegate }
    set {
      unsafeDelegate = newValue
      selectors = newValue?.selectors ?? []
      if newValue == nil { stop() } else if observer == nil { start() }
    }
  }

  func performFetch() { fetchedObjects = context.fetch(where: matches) }

  /// The observer's block holds the controller as long as it is registered.
  private func start() {
    observer = NotificationCenter.default.addObserver(forName: ManagedObjectContext.objectsDidChange, object: context, queue: nil) { [self] note in
      if let changes = note.userInfo?["changes"] as? ContextChanges { contextChanged(changes) }
    }
  }

  /// Whoever owns the controller stops it.
  func stop() {
    if let observer { NotificationCenter.default.removeObserver(observer) }
    observer = nil
  }

  private func contextChanged(_ changes: ContextChanges) {
    changes.settle()
    let news = news(changes)
    guard !news.isEmpty else { return }
    if selectors.contains(.willChangeContent) { delegate?.controllerWillChangeContent() }  // <- will change
    for (object, change) in news {
      apply(change, object)
      if selectors.contains(.didChangeObject) { delegate?.controller(didChange: object.id, change) }
    }
    if selectors.contains(.didChangeContent) { delegate?.controllerDidChangeContent() }
  }

  private func news(_ changes: ContextChanges) -> [(ManagedObject, ObjectChange)] {
    var news = changes.deleted.filter { isFetched($0) }.map { ($0, ObjectChange.delete) }
    for object in changes.inserted + changes.updated + changes.refreshed {
      // Asking for the values may fire a fault, of which this controller is told before it goes on here.
      let isMatch = matches(object.values)
      switch (isFetched(object), isMatch) {
      case (true, true): news.append((object, .update))
      case (true, false): news.append((object, .delete))
      case (false, true): news.append((object, .insert))
      case (false, false): break
      }
    }
    return news
  }

  private func isFetched(_ object: ManagedObject) -> Bool { fetchedObjects.contains { $0.id == object.id } }

  private func apply(_ change: ObjectChange, _ object: ManagedObject) {
    switch change {
    case .insert: fetchedObjects.append(object)
    case .update: break
    case .delete: fetchedObjects.removeAll { $0.id == object.id }
    }
  }
}
