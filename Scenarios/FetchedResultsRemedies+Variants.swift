import LifelineScenarios

extension FetchedResultsRemedies {
  private static let nothingLeft: [ScenarioExpectation] = [.live("ManagedObject", count: 0), .live("ManagedObjectContext", count: 0)]

  static let variants = [
    Variant("missed", "The plain merge misses the object that matches only later.", expect: nothingLeft) {
      play(SiblingStack(where: isEven), fetched: 1, told: "1 inserts, 1 updates, 0 deletes", faults: 0)
    },
    Variant("parent-child", "The background saves into the main context: nothing is missed, everything passes through it.", expect: nothingLeft) {
      play(SiblingStack(where: isEven, isChild: true), fetched: 2, told: "2 inserts, 1 updates, 0 deletes", faults: 0) { stack, _ in
        // Until the main context saves too, the store has no row for the new objects: their IDs are temporary.
        observe("changes for the main context to save", stack.main.inserted.count + stack.main.updated.count, is: 5)
        observe("rows in the store", stack.store.ids { _ in true }.count, is: 0)
        stack.main.save()
        observe("rows in the store, when the main context has saved", stack.store.ids { _ in true }.count, is: 5)
      }
    },
    Variant("refresh-merging", "Every updated object is refreshed: fetched ones are updated twice.", expect: nothingLeft) {
      play(refreshing(merging: true), fetched: 2, told: "2 inserts, 2 updates, 0 deletes", faults: 0)
    },
    Variant("refresh-faulting", "Without merging they are updated three times and lose their related objects.", expect: nothingLeft) {
      play(refreshing(merging: false), fetched: 2, told: "2 inserts, 3 updates, 0 deletes", faults: 2, invalidated: 1)
    },
    Variant(
      "refresh-faulting-dangling", "A related object is used after the refresh released it.",
      expect: [.found("use-after-free", "ManagedObject#6", lines: ["access": "dangling"])]
    ) {
      play(refreshing(merging: false), fetched: 2, told: "2 inserts, 3 updates, 0 deletes", faults: 2, invalidated: 1) { _, reference in
        tell("the friend is \(reference!.unsafe.name)")  // <- dangling
      }
    },
    Variant("watching-controller", "The controller refreshes only what its context lacks: nothing is reported twice.", expect: nothingLeft) {
      let stack = SiblingStack(where: isEven, controller: { WatchingController($0, where: $1) }, merge: { stack, saved in
        stack.main.mergeChanges(saved)
        (stack.mainController as? WatchingController)?.process(saved)
      })
      play(stack, fetched: 2, told: "2 inserts, 1 updates, 0 deletes", faults: 1)
    },
    Variant("fire-faults", "The faults of all updated objects are fired before the merge.", expect: nothingLeft) {
      let stack = SiblingStack(where: isEven, merge: { stack, saved in
        let objects = saved.updated.map { stack.main.object(with: $0) }
        for object in objects { _ = object.values }
        // The context does not keep them, and the merge looks for them.
        withExtendedLifetime(objects) { stack.main.mergeChanges(saved) }
      })
      play(stack, fetched: 2, told: "2 inserts, 1 updates, 0 deletes", faults: 1)
    },
    Variant("fetch-again", "The controller fetches again: it has the object, but its delegate is not notified.", expect: nothingLeft) {
      let stack = SiblingStack(where: isEven, merge: { stack, saved in
        stack.main.mergeChanges(saved)
        stack.mainController.performFetch()
      })
      play(stack, fetched: 2, told: "1 inserts, 1 updates, 0 deletes", faults: 1)
    },
  ]
}
