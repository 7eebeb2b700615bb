import Foundation

/// A context after Apple's "Object Lifetime Management": it does not keep the objects that it knows, except the changed
/// ones until they are saved, reset or rolled back, and all of them while it retains registered objects.
final class ManagedObjectContext: @unchecked Sendable {
  static let objectsDidChange = Notification.Name("ObjectsDidChange")
  static let didSave = Notification.Name("ContextDidSave")

  private struct Reference { weak var object: ManagedObject? }

  let store: PersistentStoreCoordinator
  /// The context that takes what this one saves; nil for one that saves to the store.
  let parent: ManagedObjectContext?
  private var registered: [ManagedObjectID: Reference] = [:]
  private(set) var inserted: [ManagedObjectID: ManagedObject] = [:]
  private(set) var updated: [ManagedObjectID: ManagedObject] = [:]
  private(set) var deleted: [ManagedObjectID: ManagedObject] = [:]
  private var kept: [ManagedObjectID: ManagedObject] = [:]
  /// Changes since the last "objects did change".
  private var unannounced = SavedChanges()
  private(set) var faultsFired = 0
  var undoManager: ChangeUndoManager?

  init(_ store: PersistentStoreCoordinator, undoManager: ChangeUndoManager? = nil) {
    self.store = store
    parent = nil
    self.undoManager = undoManager
  }

  init(parent: ManagedObjectContext) {
    store = parent.store
    self.parent = parent
  }

  var retainsRegisteredObjects = false {
    didSet {
      kept = [:]
      if retainsRegisteredObjects { for object in registeredObjects { kept[object.id] = object } }
    }
  }

  /// The objects that are known and alive, in order of their IDs.
  var registeredObjects: [ManagedObject] { registered.values.compactMap(\.object).sorted { $0.id < $1.id } }

  func registeredObject(_ id: ManagedObjectID) -> ManagedObject? { registered[id]?.object }

  /// The object of a record: the one that is known, or a new fault.
  func object(with id: ManagedObjectID) -> ManagedObject {
    if let known = registeredObject(id) { return known }
    let object = ManagedObject(id, in: self)
    register(object)
    return object
  }

  private func register(_ object: ManagedObject) {
    registered[object.id] = Reference(object: object)
    if retainsRegisteredObjects { kept[object.id] = object }
  }

  func insert(_ row: Row) -> ManagedObject {
    let object = ManagedObject(store.newID(), in: self, row: row)
    register(object)
    inserted[object.id] = object
    unannounced.inserted.append(object.id)
    undoManager?.register(object, row)
    return object
  }

  func delete(_ object: ManagedObject) {
    updated[object.id] = nil
    // What was never saved needs no deleting.
    if inserted.removeValue(forKey: object.id) == nil {
      deleted[object.id] = object
      unannounced.deleted.append(object.id)
    }
  }

  func didChange(_ object: ManagedObject, from old: Row) {
    if inserted[object.id] == nil {
      updated[object.id] = object
      unannounced.updated.append(object.id)
    }
    undoManager?.register(object, old)
  }

  /// The objects of the records that match, which are read from the store or the parent.
  func fetch(where matches: (Row) -> Bool = { _ in true }) -> [ManagedObject] {
    source(where: matches).map { id in
      let object = object(with: id)
      if object.isFault { fire(object) }
      return object
    }
  }

  private func source(where matches: (Row) -> Bool) -> [ManagedObjectID] {
    guard let parent else { return store.ids(where: matches) }
    let pending = parent.inserted.merging(parent.updated) { $1 }.filter { matches($0.value.values) }.keys
    return Set(store.ids(where: matches)).union(pending).sorted()
  }

  /// Reads the record of a fault.
  func fire(_ object: ManagedObject) {
    guard let row = parent?.registeredObject(object.id)?.values ?? store.row(object.id) else { return }
    faultsFired += 1
    let tells = object.wasRefreshed
    object.fill(row, related: row.related.map { self.object(with: $0) })
    if tells { post { $0.updated = [object] } }
  }

  func post(firstReaction: (() -> Void)? = nil, _ fill: (ContextChanges) -> Void) {
    let changes = ContextChanges(firstReaction: firstReaction)
    fill(changes)
    withExtendedLifetime(changes) {
      NotificationCenter.default.post(name: Self.objectsDidChange, object: self, userInfo: ["changes": changes])
    }
  }

  /// Tells of the pending changes that nobody was told of yet; `firstReaction` runs before any observer's own.
  func processPendingChanges(firstReaction: (() -> Void)? = nil) {
    let news = unannounced
    unannounced = SavedChanges()
    post(firstReaction: firstReaction) {
      $0.inserted = news.inserted.compactMap { inserted[$0] }
      $0.updated = Set(news.updated).sorted().compactMap { updated[$0] }
      $0.deleted = news.deleted.compactMap { deleted[$0] }
    }
  }

  /// Forgets what is pending, and lets go of the objects.
  func forgetChanges() {
    inserted = [:]
    updated = [:]
    deleted = [:]
  }

  func forgetChange(of id: ManagedObjectID) {
    inserted[id] = nil
    updated[id] = nil
  }

  func forget(_ id: ManagedObjectID) {
    registered[id] = nil
    kept[id] = nil
  }

  func receive(_ object: ManagedObject, isNew: Bool) {
    if isNew { inserted[object.id] = object } else if inserted[object.id] == nil { updated[object.id] = object }
  }
}
