// A delegate is freed while something else keeps the object that messages it alive.
//
// From unowned-unsafe-delegate.txt. A detail screen owns a fetched results controller and is its unowned(unsafe)
// delegate. While "objects did change" is being posted, the master list releases the screen, which dies and with it its
// reference to the controller. But the post works on its own copy of the observers, which holds the controller until
// the post ends: for that time the controller's delegate is freed memory, and it is sent controllerWillChangeContent().
//
// Found: a use after free, the screen messaged by the controller; its last reference is released where the master list
// drops it. Remedies: the screen clears the delegate in its deinit; a safe subclass backs the delegate with a weak
// property and calls the superclass's setter, which learns the delegate's selectors; the same without that call, where
// nothing crashes but nothing is delivered either, since the selectors are never learned and the observation never starts.
import Foundation
import LifelineScenarios

enum DelayedDeallocation {
  class DetailViewController: FetchedResultsControllerDelegate {
    private var controller: FetchedResultsController?
    private let clearsDelegate: Bool
    private let deliveries: Tally

    init(_ controller: FetchedResultsController, clearsDelegate: Bool, deliveries: Tally) {
      self.controller = controller
      self.clearsDelegate = clearsDelegate
      self.deliveries = deliveries
      super.init()
      controller.performFetch()
      controller.delegate = self
    }

    deinit {
      if clearsDelegate { controller?.delegate = nil }
      controller?.stop()
      controller = nil  // <- screen dies
      opaque(())
    }

    override var selectors: Set<FetchedResultsSelector> { [.willChangeContent] }
    override func controllerWillChangeContent() { deliveries.add() }
  }

  final class MasterViewController: @unchecked Sendable {
    var detail: DetailViewController?
    private var observer: NSObjectProtocol?

    /// The list reacts to every change, whichever observer is called first.
    func observe(_ context: ManagedObjectContext) {
      observer = NotificationCenter.default.addObserver(forName: ManagedObjectContext.objectsDidChange, object: context, queue: nil) { note in
        (note.userInfo?["changes"] as? ContextChanges)?.settle()
      }
    }

    @inline(never) func closeDetail() {
      detail = nil  // <- last reference
      tell("the screen is closed")
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
  }

  /// The delegate becomes nil by itself.
  class SafeFetchedResultsController: FetchedResultsController, @unchecked Sendable {
    private weak var safeDelegate: FetchedResultsControllerDelegate?
    override var delegate: FetchedResultsControllerDelegate? {
      get { safeDelegate }
      set {
        safeDelegate = newValue
        super.delegate = newValue
      }
    }
  }

  /// The same, but the superclass never hears of the delegate.
  class SilentFetchedResultsController: FetchedResultsController, @unchecked Sendable {
    private weak var safeDelegate: FetchedResultsControllerDelegate?
    override var delegate: FetchedResultsControllerDelegate? {
      get { safeDelegate }
      set { safeDelegate = newValue }
    }
  }

  /// A person is renamed with the detail screen open, then deleted, which closes it.
  static func play(clears: Bool = false, delivered: Int = 1, _ makeController: (ManagedObjectContext) -> FetchedResultsController) {
    let context = ManagedObjectContext(PersistentStoreCoordinator())
    let person = context.insert(Row(name: "Ada"))
    context.save()
    let deliveries = Tally()
    let master = MasterViewController()
    master.observe(context)
    master.detail = DetailViewController(makeController(context), clearsDelegate: clears, deliveries: deliveries)
    person.name = "Grace"
    context.processPendingChanges()
    observe("messages delivered while the screen is open", deliveries.count, is: delivered)
    context.delete(person)
    context.processPendingChanges { master.closeDetail() }
    observe("messages delivered in all", deliveries.count, is: delivered)
    observe("the screen is open", master.detail != nil, is: false)
  }

  /// The remedies change nothing about the post's hold: it is still there, and harms nobody.
  private static func stillLate(_ controller: String) -> ScenarioExpectation {
    .found("late-deallocation", "\(controller)#1", severity: "note", holder: "NotificationCenter.post(name:object:)")
  }

  static let scenario = Scenario(
    "DelayedDeallocation", "A notification's post keeps a controller alive, its delegate is freed and messaged",
    from: "unowned-unsafe-delegate.txt", support: ["Support/FetchedResultsController.swift"],
    variants: [
      Variant(
        "buggy", "The controller outlives its unowned(unsafe) delegate for the rest of the post and messages it.",
        expect: [
          .found(
            "use-after-free", "DetailViewController#1", access: "message", message: "controllerWillChangeContent()",
            holder: "NotificationCenter.post(name:object:)", lines: ["access": "will change", "final-release": "last reference"]),
          .found(
            "late-deallocation", "FetchedResultsController#1", severity: "warning", holder: "NotificationCenter.post(name:object:)",
            lines: ["last-owner-release": "screen dies"]),
          .live("DetailViewController", count: 0), .live("FetchedResultsController", count: 0),
        ]
      ) { play { FetchedResultsController($0) } },
      Variant(
        "cleared-in-deinit", "The screen clears the controller's delegate in its deinit.",
        expect: [stillLate("FetchedResultsController"), .live("FetchedResultsController", count: 0)]
      ) { play(clears: true) { FetchedResultsController($0) } },
      Variant(
        "safe-subclass", "A subclass backs the delegate with a weak property and still calls the superclass's setter.",
        expect: [stillLate("SafeFetchedResultsController"), .live("SafeFetchedResultsController", count: 0)]
      ) { play { SafeFetchedResultsController($0) } },
      Variant(
        "silent-subclass", "Without the superclass's setter nothing crashes, but nothing is delivered either.",
        expect: [.absent("late-deallocation"), .live("SilentFetchedResultsController", count: 0)]
      ) { play(delivered: 0) { SilentFetchedResultsController($0) } },
    ])
}
