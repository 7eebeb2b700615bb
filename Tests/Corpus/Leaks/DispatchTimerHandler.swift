// leak: 1 Clock
// path: Clock.timer
// A Dispatch timer whose handler captures its owner, created but never started.
import Dispatch
final class Clock {
  var timer: DispatchSourceTimer?
  var ticks = 0
  @inline(never) func prepare() {
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now() + 1000)
    #if CLEAN
    timer.setEventHandler { [weak self] in self?.ticks += 1 }
    timer.activate()
    #else
    timer.setEventHandler { self.ticks += 1 } // KEPT
    #endif
    self.timer = timer
  }
}
@inline(never) func run() -> Int {
  let clock = Clock() // ALLOC KEPT
  clock.prepare() // KEPT-CALL
  return clock.ticks
}
print(run())
