// An observer token that is never removed.
//
// A classic: a notification center keeps the block of addObserver(forName:object:queue:using:),
// and everything it captured, until the token is removed. Dropping the token does not remove it.
//
// Found: nothing, but the screen is live at exit and still reacts. Remedies: remove
// the token when the screen disappears, or capture weakly and remove it in the deinit.
import Foundation
import LifelineScenarios

enum ObserverNeverRemoved {
  static let changed = Notification.Name("ObserverNeverRemoved.changed")

  class Screen: @unchecked Sendable {
    private var token: NSObjectProtocol?
    private let reactions: Tally
    init(_ reactions: Tally) { self.reactions = reactions }

    func react() { reactions.add() }

    func observeStrongly() {
      token = NotificationCenter.default.addObserver(forName: ObserverNeverRemoved.changed, object: nil, queue: nil) { _ in self.react() }
    }

    func observeWeakly() {
      token = NotificationCenter.default.addObserver(forName: ObserverNeverRemoved.changed, object: nil, queue: nil) { [weak self] _ in
        self?.react()
      }
    }

    func disappear() {
      if let token { NotificationCenter.default.removeObserver(token) }
      token = nil
    }

    deinit { disappear() }
  }

  @inline(never) private static func open(_ reactions: Tally, _ body: (Screen) -> Void) { body(Screen(reactions)) }

  static func play(reactions expected: Int, _ body: (Screen) -> Void) {
    let reactions = Tally()
    open(reactions, body)
    NotificationCenter.default.post(name: changed, object: nil)
    observe("reactions of the closed screen", reactions.count, is: expected)
  }

  static let scenario = Scenario(
    "ObserverNeverRemoved", "A notification center keeps the block of an observer that is never removed", from: "classic",
    variants: [
      Variant("buggy", "The block holds the screen, so the deinit that would remove it never runs.", expect: [.live("Screen", count: 1)]) {
        play(reactions: 1) { $0.observeStrongly() }
      },
      Variant("weak", "The block captures weakly; the deinit removes it.", expect: [.live("Screen", count: 0)]) {
        play(reactions: 0) { $0.observeWeakly() }
      },
      Variant("removed", "The screen removes its observer when it disappears.", expect: [.live("Screen", count: 0)]) {
        play(reactions: 0) {
          $0.observeStrongly()
          $0.disappear()
        }
      },
    ])
}
