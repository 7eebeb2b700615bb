// Sibling contexts: what a background context saves is merged into the main one, whose controller may miss some of it.
//
// From fetched-results-controller-woes.txt. Objects are inserted, updated and deleted in the background, before or after a first save, and
// fetched in the main context by a controller without a predicate and by one for even objects. All that the article reports is
// asserted: without a predicate the controller sees everything; with one it sees objects that match when they are first
// saved, and never those that come to match by a later update, because the merge only brings registered objects up to date. Without
// a delegate a controller keeps the result of its first fetch.
//
// Found: nothing, and no object is left: a context keeps what has changes, a controller what it fetched, nobody the rest.
import LifelineScenarios

enum SiblingContexts {
  /// What is told of the main controller and the two contexts.
  struct Outcome {
    var fetched: Int
    var told: String
    /// Inserted, updated and deleted objects of the last save.
    var saved: [Int]
    var mainRegistered: Int
    var backgroundRegistered: Int
  }

  @inline(never) static func insert(_ stack: SiblingStack, even: Set<Int> = []) {
    for number in 0..<4 { _ = stack.background.insert(Row(name: "dummy \(number)", isEven: even.contains(number))) }
  }

  /// The objects 0 and 2 of the background.
  private static func pair(_ stack: SiblingStack) -> [ManagedObject] {
    let all = stack.background.registeredObjects
    return [all[0], all[2]]
  }

  static func makeEven(_ stack: SiblingStack) { for object in pair(stack) { object.isEven = true } }
  static func delete(_ stack: SiblingStack) { for object in pair(stack) { stack.background.delete(object) } }

  static func play(evenOnly: Bool = false, hasDelegate: Bool = true, _ outcome: Outcome, _ work: (SiblingStack) -> Void) {
    let stack = SiblingStack(where: { !evenOnly || $0.isEven }, hasDelegate: hasDelegate)
    work(stack)
    stack.background.save()
    observe("inserted, updated, deleted by the save", [stack.saved.inserted, stack.saved.updated, stack.saved.deleted].map(\.count), is: outcome.saved)
    observe("fetched by the main controller", stack.mainController.fetchedObjects.count, is: outcome.fetched)
    observe("told to its delegate", stack.told.text, is: outcome.told)
    observe("registered in the main context", stack.main.registeredObjects.count, is: outcome.mainRegistered)
    observe("registered in the background context", stack.background.registeredObjects.count, is: outcome.backgroundRegistered)
    observe("pending in the background context", stack.background.inserted.count + stack.background.updated.count, is: 0)
    stack.close()
  }

  private static let nothingLeft: [Expectation] = [
    .live("ManagedObject", count: 0), .live("ManagedObjectContext", count: 0), .live("FetchedResultsController", count: 0),
  ]

  static let scenario = Scenario(
    "SiblingContexts", "Which changes of a sibling context a controller sees, and what each context keeps", from: "fetched-results-controller-woes.txt",
    variants: [
      Variant("all-inserted", "Four objects are inserted and saved: both contexts know them, the delegate hears of four.", expect: nothingLeft) {
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
      Variant("all-deleted-after-save", "Saved objects that are deleted go from the main controller too.", expect: nothingLeft) {
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
      Variant("even-inserted", "Objects that do not match are not fetched; after the merge nobody keeps them.", expect: nothingLeft) {
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
      Variant("even-deleted-after-save", "Registered objects that are deleted go, predicate or not.", expect: nothingLeft) {
        play(
          evenOnly: true, Outcome(fetched: 0, told: "2 inserts, 0 updates, 2 deletes", saved: [0, 0, 2], mainRegistered: 0, backgroundRegistered: 2)
        ) {
            insert($0, even: [0, 2])
            $0.background.save()
            delete($0)
        }
      },
    ])
}
