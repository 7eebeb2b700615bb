import Foundation

/// The coordinator of a context is not taken away: one lets go of the context.
enum ContextError: Error { case coordinatorCannotBeCleared }

extension ManagedObjectContext {
  /// Refused for nil, as Core Data does with an exception.
  func setCoordinator(_ coordinator: PersistentStoreCoordinator?) throws {
    if coordinator == nil { throw ContextError.coordinatorCannotBeCleared }
  }

  /// Commits the pending changes, lets go of the changed objects and posts what was saved.
  func save() {
    processPendingChanges()
    let changes = SavedChanges(inserted: inserted.keys.sorted(), updated: updated.keys.sorted(), deleted: deleted.keys.sorted())
    if let parent {
      parent.take(inserted.merging(updated) { $1 }, changes)
    } else {
      var rows: [ManagedObjectID: Row?] = inserted.merging(updated) { $1 }.mapValues(\.values)
      for id in changes.deleted { rows[id] = .some(nil) }
      store.commit(rows)
    }
    for id in changes.deleted { forget(id) }
    forgetChanges()
    NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: ["changes": changes])
  }

  /// A child's save: everything passes through this context, which has changes to save then.
  private func take(_ objects: [ManagedObjectID: ManagedObject], _ saved: SavedChanges) {
    var mine: [ManagedObjectID: ManagedObject] = [:]
    for (id, object) in objects {
      let copy = self.object(with: id)
      copy.fill(object.values, related: object.values.related.map { self.object(with: $0) })
      receive(copy, isNew: saved.inserted.contains(id))
      mine[id] = copy
    }
    let removed = saved.deleted.map { self.object(with: $0) }
    removed.forEach(delete)
    post {
      $0.inserted = saved.inserted.compactMap { mine[$0] }
      $0.updated = saved.updated.compactMap { mine[$0] }
      $0.deleted = removed
    }
  }

  /// Discards the pending changes: changed objects become faults, new ones are forgotten.
  func rollback() {
    for object in updated.values { object.turnIntoFault(byRefresh: false) }
    for id in inserted.keys { forget(id) }
    forgetChanges()
    undoManager?.removeAllActions()
  }

  /// Forgets everything.
  func reset() {
    for object in registeredObjects { forget(object.id) }
    forgetChanges()
    undoManager?.removeAllActions()
  }

  /// Takes the last change back, so that it is pending no more.
  func undo() {
    guard let (object, row) = undoManager?.takeLast() else { return }
    object.fill(row, related: row.related.map { self.object(with: $0) })
    forgetChange(of: object.id)
  }

  /// With merging the object's own values and related objects stay; without, it becomes a fault and lets go of them.
  func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    if mergeChanges, let row = store.row(object.id) {
      object.fill(row, related: row.related.map { self.object(with: $0) })
    } else {
      object.turnIntoFault(byRefresh: true)
    }
    post { $0.refreshed = [object] }
  }

  /// Takes over what a sibling saved: new objects are registered, of the others only those that are registered already
  /// are brought up to date. That is what the article's controllers stumble over.
  func mergeChanges(_ saved: SavedChanges) {
    let new = saved.inserted.map { object(with: $0) }
    let known = saved.updated.compactMap(registeredObject)
    let removed = saved.deleted.compactMap(registeredObject)
    for object in known {
      guard let row = store.row(object.id) else { continue }
      object.fill(row, related: row.related.map { self.object(with: $0) })
    }
    for object in removed { forget(object.id) }
    post {
      $0.inserted = new
      $0.updated = known
      $0.deleted = removed
    }
  }
}
