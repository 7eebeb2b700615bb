// Sibling contexts: a background context's saves are merged into the main one, whose controller may miss some of them.
//
// From fetched-results-controller-woes.txt. Objects are inserted, updated and deleted in the background, before or
// after a first save, and fetched in the main context by a controller without a predicate and by one for even
// objects. Everything that the article reports is asserted: without a predicate the controller sees everything; with
// one it sees objects that match when they are first saved, and never those that match after a later update, because
// the merge only updates registered objects. Without a delegate a controller keeps the result of its first fetch.
//
// Found: nothing, and no object is left: a context keeps what has changes, a controller what it fetched, and nothing keeps the rest.
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

  static let scenario = Scenario(
    "SiblingContexts", "Which changes of a sibling context a controller sees, and what each context keeps", from: "fetched-results-controller-woes.txt",
    support: ["SiblingContexts+Variants.swift"], variants: variants)
}
