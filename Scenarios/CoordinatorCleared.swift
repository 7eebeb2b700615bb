// Clearing a context's coordinator instead of releasing the context.
//
// From object-lifetime-management.txt: setting the coordinator to nil raises an exception; instead the context should be released,
// and is deallocated normally. Swift has no exceptions: the model refuses with an error, and the context keeps everything.
//
// Found: nothing; a refused context and its changed object stay alive, a released one is gone.
import LifelineScenarios

enum CoordinatorCleared {
  nonisolated(unsafe) static var context: ManagedObjectContext?

  static let scenario = Scenario(
    "CoordinatorCleared", "A context's coordinator cannot be cleared; release the context instead", from: "object-lifetime-management.txt",
    variants: [
      Variant(
        "cleared", "Clearing is refused, so context, store and the changed object stay.",
        expect: [.live("ManagedObjectContext", count: 1), .live("ManagedObject", count: 1), .live("PersistentStoreCoordinator", count: 1)]
      ) {
        open()
        var isRefused = false
        do { try context?.setCoordinator(nil) } catch { isRefused = true }
        observe("refused", isRefused, is: true)
      },
      Variant(
        "let-go", "Without its owner the context is freed, with everything it kept.",
        expect: [.live("ManagedObjectContext", count: 0), .live("ManagedObject", count: 0), .live("PersistentStoreCoordinator", count: 0)]
      ) {
        open()
        context = nil
      },
    ])

  @inline(never) private static func open() {
    let fresh = ManagedObjectContext(PersistentStoreCoordinator())
    _ = fresh.insert(Row(name: "Ada"))
    context = fresh
  }
}
