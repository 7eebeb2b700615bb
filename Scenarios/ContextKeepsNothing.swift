// A context does not keep its objects alive, and they do not keep the context alive.
//
// From object-lifetime-management.txt: the references between a managed object
// and its context are weak, so a fetched object does not necessarily stay alive.
//
// Found: code that fetched a person and remembers it without holding it uses freed memory. Remedy: a container that
// holds what is needed. Conversely, an object without its context is not an error, but it cannot read anything any more.
import LifelineScenarios

enum ContextKeepsNothing {
  /// Remembers a person, and believes that the context keeps it.
  class Badge {
    unowned(unsafe) let person: ManagedObject
    init(_ person: ManagedObject) { self.person = person }
    func text() -> String { person.name }  // <- badge reads
  }

  static func makeStore() -> PersistentStoreCoordinator {
    let store = PersistentStoreCoordinator()
    store.commit([store.newID(): Row(name: "Ada"), store.newID(): Row(name: "Grace")])
    return store
  }

  @inline(never) static func makeBadge(_ context: ManagedObjectContext) -> Badge {
    Badge(context.fetch { $0.name == "Ada" }[0])
  }

  static func fetchAndForget() {
    let context = ManagedObjectContext(makeStore())
    observe("fetched", context.fetch().count, is: 2)
    observe("registered afterwards", context.registeredObjects.count, is: 0)
  }

  static let scenario = Scenario(
    "ContextKeepsNothing", "A context keeps no unchanged objects, and they do not keep it", from: "object-lifetime-management.txt",
    variants: [
      Variant(
        "buggy", "A badge refers to a fetched person that nothing holds.",
        expect: [.found("use-after-free", "ManagedObject#1", lines: ["access": "badge reads"]), .live("ManagedObject", count: 0)]
      ) {
        let context = ManagedObjectContext(makeStore())
        _ = makeBadge(context).text()
      },
      Variant("forgotten", "Fetched objects that nothing holds are gone.", expect: [.live("ManagedObject", count: 0)]) { fetchAndForget() },
      Variant("held", "An array holds the people that are needed.", expect: [.absent("use-after-free"), .live("ManagedObject", count: 0)]) {
        let context = ManagedObjectContext(makeStore())
        let people = context.fetch()
        observe("name", Badge(people[0]).text(), is: "Ada")
        observe("registered", context.registeredObjects.count, is: people.count)
      },
      Variant("context-gone", "An object does not keep its context, and cannot be read without it.", expect: [.live("ManagedObjectContext", count: 0)]) {
        let store = makeStore()
        var context: ManagedObjectContext? = ManagedObjectContext(store)
        let person = context!.object(with: store.ids { $0.name == "Ada" }[0])
        context = nil
        observe("context is gone", person.context == nil, is: true)
        observe("name", person.name, is: "")
      },
    ])
}
