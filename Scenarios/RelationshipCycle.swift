// Two related objects that hold each other.
//
// From object-lifetime-management.txt: a managed object holds what it is related to, so two objects related in both directions hold each
// other. Refreshing without merging turns one into a fault, which releases the other; refreshing with merging does not break the cycle.
//
// Found: the cycle, where it remains; the two objects are live at exit, and their context, which nothing holds, is not.
import LifelineScenarios

enum RelationshipCycle {
  static func play(isFault: Bool = false, _ end: (ManagedObjectContext, ManagedObject) -> Void) {
    let context = ManagedObjectContext(PersistentStoreCoordinator())
    let ada = context.insert(Row(name: "Ada"))
    let charles = context.insert(Row(name: "Charles"))
    ada.relate(to: charles)
    charles.relate(to: ada)
    context.save()
    end(context, ada)
    observe("Ada is a fault", ada.isFault, is: isFault)
  }

  static let scenario = Scenario(
    "RelationshipCycle", "Related objects hold each other until one is refreshed", from: "object-lifetime-management.txt",
    variants: [
      Variant(
        "cycle", "Nothing breaks the cycle: both objects stay forever, without a context.",
        expect: [.live("ManagedObject", count: 2), .live("ManagedObjectContext", count: 0)]
      ) { play { _, _ in } },
      Variant("refreshed", "Refreshed without merging, one becomes a fault and releases the other.", expect: [.live("ManagedObject", count: 0)]) {
        play(isFault: true) { $0.refresh($1, mergeChanges: false) }
      },
      Variant("refreshed-merging", "Refreshed with merging it keeps its relationship, and the cycle.", expect: [.live("ManagedObject", count: 2)]) {
        play { $0.refresh($1, mergeChanges: true) }
      },
    ])
}
