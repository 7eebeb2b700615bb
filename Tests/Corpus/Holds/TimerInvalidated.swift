// object: Ticker#1
// verdict: late
// rule: timer
// finding: none
// An invalidated timer keeps its block, and so the ticker, until the timer itself is let go of.
import Foundation
final class Ticker { var ticks = 0; func tick() { ticks += 1 } }
final class Clock { var ticker: Ticker? = Ticker(); var timer: Timer? }
@inline(never) func start(_ clock: Clock) {
  let ticker = clock.ticker!
  clock.timer = Timer(timeInterval: 60, repeats: true) { _ in ticker.tick() }
}
@inline(never) func stop(_ clock: Clock) {
  clock.ticker = nil // OWNER
  clock.timer?.invalidate()
}
@inline(never) func forget(_ clock: Clock) {
  clock.timer = nil
}
let clock = Clock()
start(clock)
stop(clock)
forget(clock)
print("end")
