// object: Ticker#1
// verdict: never
// rule:
// finding: leak
// Foundation on Linux (6.3.1) never frees a timer that was scheduled and invalidated, so its block and the ticker live until the end.
import Foundation
final class Ticker { var ticks = 0; func tick() { ticks += 1 } }
final class Clock { var ticker: Ticker? = Ticker(); var timer: Timer? }
@inline(never) func start(_ clock: Clock) {
  let ticker = clock.ticker!
  clock.timer = Timer(timeInterval: 60, repeats: true) { _ in ticker.tick() }
  RunLoop.main.add(clock.timer!, forMode: .default)
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
