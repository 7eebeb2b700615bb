// A program without errors.
//
// It uses what the other scenarios use, correctly: a context and a controller whose
// delegate is cleared, an observer that is removed, a timer that is invalidated, operations
// and a dispatch queue that are waited for, a task that ends, closures that capture weakly.
//
// Found: nothing, not even a note; none of the program's own objects is live at exit.
import Foundation
import LifelineScenarios

enum Healthy {
  static let renamed = Notification.Name("Healthy.renamed")

  final class Screen: @unchecked Sendable {
    private let controller: FetchedResultsController
    private let told = ChangeRecorder()
    private var observer: NSObjectProtocol?
    private var timer: Timer?
    private(set) var events = 0
    var handler: (() -> Void)?

    init(_ context: ManagedObjectContext) {
      controller = FetchedResultsController(context)
      controller.delegate = told
      controller.performFetch()
    }

    func appear() {
      observer = NotificationCenter.default.addObserver(forName: Healthy.renamed, object: nil, queue: nil) { [weak self] _ in self?.events += 1 }
      let timer = Timer(timeInterval: 3600, repeats: true) { [weak self] _ in self?.events += 1 }
      RunLoop.main.add(timer, forMode: .default)
      self.timer = timer
      handler = { [weak self] in self?.events += 1 }
    }

    func use() -> String {
      NotificationCenter.default.post(name: Healthy.renamed, object: nil)
      timer?.fire()
      handler?()
      return "\(events) events, \(told.text)"
    }

    func disappear() {
      if let observer { NotificationCenter.default.removeObserver(observer) }
      timer?.invalidate()
      controller.delegate = nil
    }
  }

  @inline(never) private static func visit(_ context: ManagedObjectContext) {
    let screen = Screen(context)
    screen.appear()
    _ = context.insert(Row(name: "Ada"))
    context.save()
    observe("the screen has seen", screen.use(), is: "3 events, 1 inserts, 0 updates, 0 deletes")
    screen.disappear()
  }

  /// Work on other threads, which is waited for.
  @inline(never) private static func work() {
    let sum = Tally()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in sum.add() }
    DispatchQueue(label: "healthy").sync { sum.add() }
    let worker = Worker("healthy") { sum.add() }
    worker.join()
    observe("jobs done", sum.count, is: 6)
  }

  static let scenario = Scenario(
    "Healthy", "A program without errors", from: "classic",
    variants: [
      Variant(
        "healthy", "Everything is cleared, removed, invalidated and waited for.",
        expect: [
          .absent("late-deallocation"), .absent("near-miss"), .live("Screen", count: 0), .live("FetchedResultsController", count: 0),
          .live("ManagedObjectContext", count: 0), .live("ManagedObject", count: 0), .live("ChangeRecorder", count: 0), .live("Tally", count: 0),
        ]
      ) {
        visit(ManagedObjectContext(PersistentStoreCoordinator()))
        work()
      }
    ])
}
