// A retain that looks unbalanced but is not: a notification center holds what it is about to call.
//
// From unowned-unsafe-delegate.txt, whose author found a retain without a release in the middle of a
// controller's history. It was the notification center's, for the duration of a post, and its release came
// when the post ended. Here the owner releases a controller inside such a post: it dies, but not right then.
//
// Found: no error, but a note: the controller was deallocated late, held by the post, which is named. Code that uses the controller
// in that time through a reference that does not hold it comes close to a crash that does not happen today: a near miss.
import Foundation
import LifelineScenarios

enum TransientHold {
  static let changed = Notification.Name("TransientHold.changed")

  final class ResultsController: @unchecked Sendable {
    private var observer: NSObjectProtocol?
    let death: Tally

    init(death: Tally) {
      self.death = death
      observer = NotificationCenter.default.addObserver(forName: TransientHold.changed, object: nil, queue: nil) { [self] note in
        (note.object as? Screen)?.close()
        touched()
      }
    }

    func touched() {}
    func rows() {}

    func stop() {
      if let observer { NotificationCenter.default.removeObserver(observer) }
      observer = nil
    }

    deinit { death.add() }
  }

  final class Screen: @unchecked Sendable {
    private var controller: ResultsController?
    /// What the screen's table goes on to use.
    private unowned let source: ResultsController
    private let reloads: Bool
    private let death: Tally
    private(set) var deathsAtClosing = 0

    init(death: Tally, reloads: Bool) {
      self.death = death
      self.reloads = reloads
      let fresh = ResultsController(death: death)
      source = fresh
      controller = fresh
    }

    func reload() { source.rows() }  // <- table reloads

    func close() {
      controller?.stop()
      controller = nil  // <- last owner
      deathsAtClosing = death.count
      if reloads { reload() }
    }
  }

  static func play(closesFirst: Bool, reloads: Bool = false) {
    let death = Tally()
    let screen = Screen(death: death, reloads: reloads)
    if closesFirst { screen.close() }
    NotificationCenter.default.post(name: changed, object: screen)
    observe("controllers dead when their owner had let go", screen.deathsAtClosing, is: closesFirst ? 1 : 0)
    observe("controllers dead after the post", death.count, is: 1)
  }

  static let scenario = Scenario(
    "TransientHold", "The retain that looked unbalanced: a post holds what it calls", from: "unowned-unsafe-delegate.txt",
    variants: [
      Variant(
        "let-go-while-posting", "The owner releases it inside the post; the post's hold is the last one.",
        expect: [
          .found(
            "late-deallocation", "ResultsController#1", severity: "note", holder: "NotificationCenter.post(name:object:)",
            lines: ["last-owner-release": "last owner"]),
          .live("ResultsController", count: 0),
        ]
      ) { play(closesFirst: false) },
      Variant(
        "let-go-before", "The owner releases it before anything is posted: the controller dies immediately.",
        expect: [.absent("late-deallocation"), .live("ResultsController", count: 0)]
      ) { play(closesFirst: true) },
      Variant(
        "used-while-held", "The table reloads from the controller when only the post holds it.",
        expect: [
          .found("near-miss", "ResultsController#1", severity: "warning", holder: "NotificationCenter.post(name:object:)", lines: ["access": "table reloads"]),
          .live("ResultsController", count: 0),
        ]
      ) { play(closesFirst: false, reloads: true) },
    ])
}
