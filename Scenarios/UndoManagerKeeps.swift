// The undo manager keeps changed objects long after they were saved.
//
// From object-lifetime-management.txt: a context's undo manager holds every changed object in an unlimited stack. It
// is emptied with removeAllActions, or there is none; and it dies with its context, unless something else holds it.
//
// Found: nothing; the live objects show who keeps them.
import LifelineScenarios

enum UndoManagerKeeps {
  nonisolated(unsafe) static var context: ManagedObjectContext?
  nonisolated(unsafe) static var undoManager: ChangeUndoManager?

  @inline(never) static func importPeople(_ manager: ChangeUndoManager?) {
    let fresh = ManagedObjectContext(PersistentStoreCoordinator(), undoManager: manager)
    for number in 0..<3 { _ = fresh.insert(Row(name: "person \(number)")) }
    fresh.save()
    context = fresh
  }

  static let scenario = Scenario(
    "UndoManagerKeeps", "An undo manager keeps every changed object", from: "object-lifetime-management.txt",
    variants: [
      Variant("kept", "Saved objects stay in the undo stack.", expect: [.live("ManagedObject", count: 3), .live("ChangeUndoManager", count: 1)]) {
        importPeople(ChangeUndoManager())
        observe("registered after the save", context?.registeredObjects.count, is: 3)
      },
      Variant("scrubbed", "removeAllActions releases them.", expect: [.live("ManagedObject", count: 0), .live("ChangeUndoManager", count: 1)]) {
        importPeople(ChangeUndoManager())
        context?.undoManager?.removeAllActions()
        observe("registered after the scrub", context?.registeredObjects.count, is: 0)
      },
      Variant("no-undo-manager", "An import without an undo manager keeps nothing.", expect: [.live("ManagedObject", count: 0)]) {
        importPeople(nil)
        observe("registered after the save", context?.registeredObjects.count, is: 0)
      },
      Variant(
        "dies-with-context", "The undo manager is freed with its context.",
        expect: [.live("ManagedObject", count: 0), .live("ChangeUndoManager", count: 0)]
      ) {
        importPeople(ChangeUndoManager())
        context = nil
      },
      Variant(
        "held-by-another", "Held by another object, it outlives its context, with all objects.",
        expect: [.live("ManagedObject", count: 3), .live("ChangeUndoManager", count: 1), .live("ManagedObjectContext", count: 0)]
      ) {
        importPeople(ChangeUndoManager())
        undoManager = context?.undoManager
        context = nil
        observe("actions", undoManager?.count, is: 3)
      },
    ])
}
