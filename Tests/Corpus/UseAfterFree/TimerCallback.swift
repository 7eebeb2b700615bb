// class: Ticker
// kind: use-after-free
// A run loop's timer fires for an object that was released.
import Foundation
class Ticker { var ticks = 0; func tick() { ticks += 1 } }
final class Clock { var ticker: Ticker? }
@inline(never) func start(_ clock: Clock) -> Timer {
  let ticker = Ticker() // ALLOC
  clock.ticker = ticker
  return Timer(timeInterval: 0.001, repeats: false) { [unowned(unsafe) ticker] _ in
    ticker.tick() // ACCESS
  }
}
@inline(never) func stop(_ clock: Clock) {
  clock.ticker = nil // FREE
}
let clock = Clock()
RunLoop.main.add(start(clock), forMode: .default)
#if !CLEAN
stop(clock)
#endif
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
stop(clock)
print("end")
