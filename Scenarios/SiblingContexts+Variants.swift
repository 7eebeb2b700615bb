import LifelineScenarios

extension SiblingContexts {
  private static let nothingLeft: [ScenarioExpectation] = [
    .live("ManagedObject", count: 0), .live("ManagedObjectContext", count: 0), .live("FetchedResultsController", count: 0),
  ]

  static let variants = [
    Variant("all-inserted", "Four objects are inserted and saved: both contexts know them, and the delegate is notified of four.", expect: nothingLeft) {
      play(
        Outcome(fetched: 4, told: "4 inserts, 0 updates, 0 deletes", saved: [4, 0, 0], mainRegistered: 4, backgroundRegistered: 4)
      ) {
        insert($0)
      }
    },
    Variant("all-updated-before-save", "Objects updated before their first save count as inserted.", expect: nothingLeft) {
      play(
        Outcome(fetched: 4, told: "4 inserts, 0 updates, 0 deletes", saved: [4, 0, 0], mainRegistered: 4, backgroundRegistered: 4)
      ) {
        insert($0)
        makeEven($0)
      }
    },
    Variant("all-updated-after-save", "Objects updated after a save are updates, in the main context too.", expect: nothingLeft) {
      play(
        Outcome(fetched: 4, told: "4 inserts, 2 updates, 0 deletes", saved: [0, 2, 0], mainRegistered: 4, backgroundRegistered: 4)
      ) {
        insert($0)
        $0.background.save()
        makeEven($0)
      }
    },
    Variant("all-deleted-before-save", "Objects deleted before any save were never inserted nor deleted.", expect: nothingLeft) {
      play(
        Outcome(fetched: 2, told: "2 inserts, 0 updates, 0 deletes", saved: [2, 0, 0], mainRegistered: 2, backgroundRegistered: 2)
      ) {
        insert($0)
        delete($0)
      }
    },
    Variant("all-deleted-after-save", "Saved objects that are deleted disappear from the main controller too.", expect: nothingLeft) {
      play(
        Outcome(fetched: 2, told: "4 inserts, 0 updates, 2 deletes", saved: [0, 0, 2], mainRegistered: 2, backgroundRegistered: 2)
      ) {
        insert($0)
        $0.background.save()
        delete($0)
      }
    },
    Variant("all-without-delegate", "Without a delegate the controller keeps its first, empty fetch.", expect: nothingLeft) {
      play(
        hasDelegate: false, Outcome(fetched: 0, told: "0 inserts, 0 updates, 0 deletes", saved: [4, 0, 0], mainRegistered: 0, backgroundRegistered: 4)
      ) {
        insert($0)
      }
    },
    Variant("even-inserted", "Objects that do not match are not fetched; after the merge nothing keeps them.", expect: nothingLeft) {
      play(
        evenOnly: true, Outcome(fetched: 0, told: "0 inserts, 0 updates, 0 deletes", saved: [4, 0, 0], mainRegistered: 0, backgroundRegistered: 4)
      ) {
        insert($0)
      }
    },
    Variant("even-inserted-matching", "Objects that match when they are inserted are fetched.", expect: nothingLeft) {
      play(
        evenOnly: true, Outcome(fetched: 2, told: "2 inserts, 0 updates, 0 deletes", saved: [4, 0, 0], mainRegistered: 2, backgroundRegistered: 4)
      ) {
        insert($0, even: [0, 2])
      }
    },
    Variant("even-updated-before-save", "Objects that match before their first save are fetched.", expect: nothingLeft) {
      play(
        evenOnly: true, Outcome(fetched: 2, told: "2 inserts, 0 updates, 0 deletes", saved: [4, 0, 0], mainRegistered: 2, backgroundRegistered: 4)
      ) {
        insert($0)
        makeEven($0)
      }
    },
    Variant("even-updated-after-save", "The article's bug: objects that match after an update are never fetched.", expect: nothingLeft) {
      play(
        evenOnly: true, Outcome(fetched: 0, told: "0 inserts, 0 updates, 0 deletes", saved: [0, 2, 0], mainRegistered: 0, backgroundRegistered: 4)
      ) {
        insert($0)
        $0.background.save()
        makeEven($0)
      }
    },
    Variant("even-deleted-before-save", "Matching objects deleted before any save were never there.", expect: nothingLeft) {
      play(
        evenOnly: true, Outcome(fetched: 0, told: "0 inserts, 0 updates, 0 deletes", saved: [2, 0, 0], mainRegistered: 0, backgroundRegistered: 2)
      ) {
        insert($0, even: [0, 2])
        delete($0)
      }
    },
    Variant("even-deleted-after-save", "Registered objects that are deleted disappear, with or without a predicate.", expect: nothingLeft) {
      play(
        evenOnly: true, Outcome(fetched: 0, told: "2 inserts, 0 updates, 2 deletes", saved: [0, 0, 2], mainRegistered: 0, backgroundRegistered: 2)
      ) {
        insert($0, even: [0, 2])
        $0.background.save()
        delete($0)
      }
    },
  ]
}
