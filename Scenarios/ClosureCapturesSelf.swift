// An object stores a closure that captures the object.
//
// A classic. The screen holds its handler and the handler holds the screen; nothing else holds either, so both stay forever.
//
// Found: a retain cycle; the screen is live at exit. Remedies: capture weakly, or drop the closure when the screen is closed.
import LifelineScenarios

enum ClosureCapturesSelf {
  final class Screen {
    private var handler: (() -> Void)?
    private(set) var taps = 0
    func installStrong() { handler = { self.taps += 1 } }  // <- captured
    func installWeak() { handler = { [weak self] in self?.taps += 1 } }
    func tap() { handler?() }
    func close() { handler = nil }
  }

  static func play(closes: Bool = false, _ install: (Screen) -> Void) {
    let screen = Screen()
    install(screen)
    screen.tap()
    observe("taps", screen.taps, is: 1)
    if closes { screen.close() }
  }

  static let scenario = Scenario(
    "ClosureCapturesSelf", "A stored closure captures the object that stores it", from: "classic",
    variants: [
      Variant("buggy", "Screen and closure hold each other.", expect: [.live("Screen", count: 1)]) { play { $0.installStrong() } },
      Variant("weak", "The closure captures weakly.", expect: [.live("Screen", count: 0)]) { play { $0.installWeak() } },
      Variant("given-up", "Closing the screen drops the closure.", expect: [.live("Screen", count: 0)]) { play(closes: true) { $0.installStrong() } },
    ])
}
