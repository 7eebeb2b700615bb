import Glibc
import LifelineScenarios

/// Scenarios in a user's own executable, for the tests of `lifeline run --from`: one that passes, and the ways to fail.
@main
enum ScenarioFixture {
  class Lamp {
    func shine() {}
  }

  nonisolated(unsafe) static var kept: Lamp?

  @inline(never) static func dangling() -> Unmanaged<Lamp> {
    Unmanaged.passUnretained(Lamp())
  }

  static func useDangling() {
    dangling().takeUnretainedValue().shine()  // <- shine
  }

  static let good = Scenario(
    "Good", "A lamp that is as expected", from: "own",
    variants: [
      Variant("gone", "The lamp goes.", expect: [.live("Lamp", count: 0)]) { Lamp().shine() },
      Variant("kept", "The lamp is kept.", expect: [.live("Lamp", count: 1)]) { kept = Lamp() },
      Variant("freed", "A freed lamp shines.", expect: [.found("use-after-free", "Lamp#1", lines: ["access": "shine"])]) { useDangling() },
      Variant("aborted", "The process aborts.", ending: .signal(6), expect: [.live("Lamp", count: 0)]) {
        Lamp().shine()
        abort()
      },
    ])

  static let bad = Scenario(
    "Bad", "Lamps that are not as expected", from: "own",
    variants: [
      Variant("missing", "A finding is expected that is not there.", expect: [.found("use-after-free", "Lamp#1")]) { Lamp().shine() },
      Variant("unexpected", "A finding is there that is not expected.") { useDangling() },
      Variant("live", "More is live than expected.", expect: [.live("Lamp", count: 0)]) { kept = Lamp() },
      Variant("aborted", "The process aborts.") {
        Lamp().shine()
        abort()
      },
      Variant("observed", "Something measured is wrong.", expect: [.live("Lamp", count: 0)]) {
        Lamp().shine()
        observe("lamps", 1, is: 2)
      },
    ])

  static let slow = Scenario(
    "Slow", "A lamp that is waited for in vain", from: "own",
    variants: [Variant("hangs", "It takes an hour.") { sleep(3600) }])

  static func main() { ScenarioMain.run([good, bad, slow]) }
}
