// A context that is set to retain its registered objects.
//
// From object-lifetime-management.txt: with retainsRegisteredObjects the objects live as long as the context, which is
// handy for small sets that outlive an event, like the edits of a sheet; it is also a way to keep objects by accident.
//
// Found: nothing; the numbers of live objects show the difference.
import LifelineScenarios

enum RetainsRegisteredObjects {
  nonisolated(unsafe) static var sheetContext: ManagedObjectContext?

  static let scenario = Scenario(
    "RetainsRegisteredObjects", "A context can be set to keep all its objects", from: "object-lifetime-management.txt",
    variants: [
      Variant("by-default", "Fetched objects are not kept.", expect: [.live("ManagedObject", count: 0)]) { play(retains: false, registered: 0) },
      Variant("retaining", "They live as long as the context.", expect: [.live("ManagedObject", count: 2)]) { play(retains: true, registered: 2) },
      Variant("turned-off-again", "Turned off, it releases them immediately.", expect: [.live("ManagedObject", count: 0)]) {
        play(retains: true, registered: 2)
        sheetContext?.retainsRegisteredObjects = false
        observe("registered, turned off", sheetContext?.registeredObjects.count, is: 0)
      },
      Variant("context-let-go", "They are freed with the context.", expect: [.live("ManagedObject", count: 0)]) {
        play(retains: true, registered: 2)
        sheetContext = nil
      },
    ])

  static func play(retains: Bool, registered: Int) {
    let context = ManagedObjectContext(ContextKeepsNothing.makeStore())
    context.retainsRegisteredObjects = retains
    observe("fetched", context.fetch().count, is: 2)
    observe("registered afterwards", context.registeredObjects.count, is: registered)
    sheetContext = context
  }
}
