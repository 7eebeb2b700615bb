// A delegate is registered as an observer of what its delegator posts, and freed without being removed.
//
// From delegation-notifications-operations.txt, modeled on a GNUstep window: setting the delegate removes the
// old one from the notification center and registers the new one, only for the notifications that it implements.
// The center does not retain the delegate: a freed one is still registered, and the next post calls it.
//
// Found: a use after free, the delegate messaged during a post. Remedy: the delegate removes itself in its deinit
// by setting the window's delegate to nil. The setter's bookkeeping is asserted too: what was delivered to whom.
import Foundation
import LifelineScenarios

enum DelegateAsObserver {
  enum Event: String, CaseIterable {
    case willClose, didResize
    var name: Notification.Name { Notification.Name("Window.\(rawValue)") }
  }

  class WindowDelegate: @unchecked Sendable {
    let received = Tally()
    /// What an Objective-C object would answer to respondsToSelector.
    var implemented: [Event] { [] }
    func handle(_ event: Event) {}
  }

  class Closer: WindowDelegate, @unchecked Sendable {
    override var implemented: [Event] { [.willClose] }
    override func handle(_ event: Event) { received.add() }
  }

  class Resizer: WindowDelegate, @unchecked Sendable {
    override var implemented: [Event] { [.didResize] }
    override func handle(_ event: Event) { received.add() }
  }

  final class DocumentWindow: @unchecked Sendable {
    private var tokens: [NSObjectProtocol] = []

    func setDelegate(_ delegate: WindowDelegate?) {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
      tokens = (delegate?.implemented ?? []).map { event in
        NotificationCenter.default.addObserver(forName: event.name, object: self, queue: nil) { [unowned(unsafe) delegate] _ in
          delegate!.handle(event)  // <- delivered
        }
      }
    }

    func post(_ event: Event) { NotificationCenter.default.post(name: event.name, object: self) }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
  }

  /// Removes itself when it dies.
  class TidyCloser: Closer, @unchecked Sendable {
    private let window: DocumentWindow
    init(_ window: DocumentWindow) { self.window = window }
    deinit { window.setDelegate(nil) }
  }

  @inline(never) static func use(_ window: DocumentWindow, _ make: () -> WindowDelegate) {
    var delegate: WindowDelegate? = make()
    window.setDelegate(delegate)
    window.post(.willClose)
    window.post(.didResize)
    observe("delivered while it lives", delegate?.received.count, is: 1)
    letGo(of: &delegate)  // <- delegate dies
  }

  static let scenario = Scenario(
    "DelegateAsObserver", "A delegate is registered for notifications and freed without being removed",
    from: "delegation-notifications-operations.txt",
    variants: [
      Variant(
        "buggy", "The center still calls the freed delegate.",
        expect: [
          .found(
            "use-after-free", "Closer#1", access: "message", message: "handle(_:)",
            lines: ["access": "delivered", "final-release": "delegate dies"])
        ]
      ) {
        let window = DocumentWindow()
        use(window) { Closer() }
        window.post(.willClose)
      },
      Variant("removed-in-deinit", "The delegate unregisters itself in its deinit.", expect: [.live("TidyCloser", count: 0)]) {
        let window = DocumentWindow()
        use(window) { TidyCloser(window) }
        window.post(.willClose)
      },
      Variant(
        "replaced", "A new delegate replaces the old one, which receives nothing more; each receives only what it implements.",
        expect: [.live("Closer", count: 0), .live("Resizer", count: 0)]
      ) {
        let window = DocumentWindow()
        let closer = Closer(), resizer = Resizer()
        window.setDelegate(closer)
        for event in Event.allCases { window.post(event) }
        window.setDelegate(resizer)
        for event in Event.allCases { window.post(event) }
        observe("delivered to the first", closer.received.count, is: 1)
        observe("delivered to the second", resizer.received.count, is: 1)
        window.setDelegate(nil)
        for event in Event.allCases { window.post(event) }
        observe("delivered in all", closer.received.count + resizer.received.count, is: 2)
      },
    ])
}
