// The remedies for a controller that misses objects, and what each of them costs.
//
// From fetched-results-controller-woes.txt. Four objects are saved by a background context; the last one matches the main
// controller's predicate and is fetched. Then the first is changed to match and the last is renamed. The plain merge misses
// the first. Each remedy is a variant, and the drawbacks named in the article are counted and asserted: updates delivered
// (twice when every updated object is refreshed with merging, three times without), faults fired, references to related
// objects that a refresh without merging invalidates, and a delegate that is not notified when the controller fetches again.
//
// Found: a use after free in the variant that uses an invalidated reference, "the last thing you want"; otherwise nothing.
import Foundation
import LifelineScenarios

enum FetchedResultsRemedies {
  /// A controller that looks at another context's saves and refreshes only what its own context lacks.
  final class WatchingController: FetchedResultsController, @unchecked Sendable {
    private let wanted: (Row) -> Bool
    override init(_ context: ManagedObjectContext, where matches: @escaping (Row) -> Bool) {
      wanted = matches
      super.init(context, where: matches)
    }

    func process(_ saved: SavedChanges) {
      for id in saved.inserted + saved.updated where context.registeredObject(id) == nil {
        guard let row = context.store.row(id), wanted(row) else { continue }
        context.refresh(context.object(with: id), mergeChanges: false)
      }
    }
  }

  /// The related object of the last one, as somebody else refers to it.
  final class Reference {
    unowned(unsafe) let unsafe: ManagedObject
    weak var weakly: ManagedObject?
    init(_ object: ManagedObject) {
      unsafe = object
      weakly = object
    }
  }

  @inline(never) private static func insert(_ stack: SiblingStack) {
    let friend = stack.background.insert(Row(name: "friend"))
    for number in 0..<3 { _ = stack.background.insert(Row(name: "dummy \(number)")) }
    let last = stack.background.insert(Row(name: "last", isEven: true))
    last.relate(to: friend)
  }

  @inline(never) private static func update(_ stack: SiblingStack) {
    let all = stack.background.registeredObjects
    all[1].isEven = true
    all[4].name = "renamed"
  }

  @inline(never) private static func related(_ stack: SiblingStack) -> Reference? {
    stack.mainController.fetchedObjects.first?.related.first.map(Reference.init)
  }

  /// Plays insert, save, update, save and holds the counts against those expected.
  static func play(
    _ stack: SiblingStack, fetched: Int, told: String, faults: Int, invalidated: Int = 0, beforeClosing: (SiblingStack, Reference?) -> Void = { _, _ in }
  ) {
    insert(stack)
    stack.background.save()
    let reference = related(stack)
    let before = stack.main.faultsFired
    update(stack)
    stack.background.save()
    observe("fetched by the main controller", stack.mainController.fetchedObjects.count, is: fetched)
    observe("told to its delegate", stack.told.text, is: told)
    observe("faults fired in the main context by the second save", stack.main.faultsFired - before, is: faults)
    observe("references invalidated", reference != nil && reference?.weakly == nil ? 1 : 0, is: invalidated)
    beforeClosing(stack, reference)
    stack.close()
  }

  static let isEven: @Sendable (Row) -> Bool = { $0.isEven }

  /// Refreshes every updated object of a save, after merging it.
  static func refreshing(merging: Bool) -> SiblingStack {
    SiblingStack(where: isEven, merge: { stack, saved in
      stack.main.mergeChanges(saved)
      for id in saved.updated { stack.main.refresh(stack.main.object(with: id), mergeChanges: merging) }
    })
  }

  static let scenario = Scenario(
    "FetchedResultsRemedies", "Four remedies for a controller that misses objects, with their costs counted",
    from: "fetched-results-controller-woes.txt", support: ["FetchedResultsRemedies+Variants.swift"], variants: variants)
}
