// A repeating timer keeps what its block captured.
//
// A classic: the run loop holds the timer, the timer its block, and the block
// the clock. The clock's deinit, which would invalidate the timer, never runs.
//
// Found: nothing, but the clock is live at exit. The remedy is a weak capture, which lets the deinit run. Elsewhere
// it is enough to invalidate the timer when the screen disappears; Foundation on Linux (measured with Swift 6.3.1)
// never frees a timer that was scheduled, so its block keeps the clock even then: it no longer ticks, but is leaked.
import Foundation
import LifelineScenarios

enum TimerKeepsTarget {
  class Clock: @unchecked Sendable {
    private var timer: Timer?
    private let ticks: Tally
    init(_ ticks: Tally) { self.ticks = ticks }

    func tick() { ticks.add() }

    func start(weakly: Bool) -> Timer {
      let timer =
        weakly
        ? Timer(timeInterval: 3600, repeats: true) { [weak self] _ in self?.tick() }
        : Timer(timeInterval: 3600, repeats: true) { _ in self.tick() }
      RunLoop.main.add(timer, forMode: .default)
      self.timer = timer
      return timer
    }

    func disappear() {
      timer?.invalidate()
      timer = nil
    }

    deinit { timer?.invalidate() }
  }

  @inline(never) private static func open(weakly: Bool, disappears: Bool, _ ticks: Tally) -> Timer {
    let clock = Clock(ticks)
    let timer = clock.start(weakly: weakly)
    timer.fire()
    if disappears { clock.disappear() }
    return timer
  }

  static func play(weakly: Bool = false, disappears: Bool = false, isValid: Bool) {
    let ticks = Tally()
    let timer = open(weakly: weakly, disappears: disappears, ticks)
    observe("ticks", ticks.count, is: 1)
    observe("the timer is valid when the clock is closed", timer.isValid, is: isValid)
  }

  static let scenario = Scenario(
    "TimerKeepsTarget", "A repeating timer keeps what its block captured", from: "classic",
    variants: [
      Variant("buggy", "The timer is never invalidated.", expect: [.live("Clock", count: 1)]) { play(isValid: true) },
      Variant("weak", "The block captures weakly; the clock's deinit invalidates the timer.", expect: [.live("Clock", count: 0)]) {
        play(weakly: true, isValid: false)
      },
      Variant("invalidated", "Invalidated, the timer no longer ticks, but on Linux it still keeps its block.", expect: [.live("Clock", count: 1)]) {
        play(disappears: true, isValid: false)
      },
    ])
}
