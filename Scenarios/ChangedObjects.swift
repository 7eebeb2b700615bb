// A context keeps changed objects until their changes are saved or discarded.
//
// From object-lifetime-management.txt: inserted, updated and deleted objects are held strongly until save, reset,
// rollback, or enough undos. (The article's exception, the undo manager, is a scenario of its own: "UndoManagerKeeps".)
//
// Found: nothing; the objects are live at exit, or not, as the article says.
import LifelineScenarios

enum ChangedObjects {
  /// Inserts one object, updates one, deletes one, and lets go of them all.
  @inline(never) static func change(_ context: ManagedObjectContext) {
    let store = context.store
    _ = context.insert(Row(name: "new"))
    context.object(with: store.ids { $0.name == "Ada" }[0]).name = "Augusta"
    context.delete(context.object(with: store.ids { $0.name == "Grace" }[0]))
  }

  static func play(_ end: (ManagedObjectContext) -> Void, left: Int, names: [String]) {
    let context = ManagedObjectContext(ContextKeepsNothing.makeStore())
    change(context)
    observe("kept for their changes", context.registeredObjects.count, is: 3)
    end(context)
    observe("kept afterwards", context.registeredObjects.count, is: left)
    observe("names in the store", context.store.ids { _ in true }.compactMap { context.store.row($0)?.name }, is: names)
  }

  /// The context that is still there when the process ends.
  nonisolated(unsafe) static var pending: ManagedObjectContext?

  static let scenario = Scenario(
    "ChangedObjects", "A context keeps changed objects until save, reset or rollback", from: "object-lifetime-management.txt",
    variants: [
      Variant("pending", "Nothing ends the transaction: all three live as long as the context.", expect: [.live("ManagedObject", count: 3)]) {
        play({ pending = $0 }, left: 3, names: ["Ada", "Grace"])
      },
      Variant("saved", "A save releases them.", expect: [.live("ManagedObject", count: 0)]) {
        play({ $0.save() }, left: 0, names: ["Augusta", "new"])
      },
      Variant("reset", "A reset releases them, and the changes are lost.", expect: [.live("ManagedObject", count: 0)]) {
        play({ $0.reset() }, left: 0, names: ["Ada", "Grace"])
      },
      Variant("rolled-back", "A rollback releases them, and the changes are lost.", expect: [.live("ManagedObject", count: 0)]) {
        play({ $0.rollback() }, left: 0, names: ["Ada", "Grace"])
      },
      Variant("undone", "An undo reverts the only change, so the object is no longer kept for it.", expect: [.live("ManagedObject", count: 0)]) {
        let context = ManagedObjectContext(ContextKeepsNothing.makeStore(), undoManager: ChangeUndoManager())
        rename(context)
        observe("kept for its change", context.updated.count, is: 1)
        context.undo()
        observe("registered after the undo", context.registeredObjects.count, is: 0)
      },
      Variant("context-let-go", "A context that dies releases them.", expect: [.live("ManagedObject", count: 0)]) {
        var context: ManagedObjectContext? = ManagedObjectContext(ContextKeepsNothing.makeStore())
        change(context!)
        context = nil
        observe("context is gone", context == nil, is: true)
      },
    ])

  @inline(never) private static func rename(_ context: ManagedObjectContext) {
    context.object(with: context.store.ids { $0.name == "Ada" }[0]).name = "Augusta"
  }
}
