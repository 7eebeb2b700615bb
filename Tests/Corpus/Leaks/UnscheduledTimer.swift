// leak: 1 Reminder
// path: Reminder.timer, closure
// A Foundation timer that was never scheduled, with a block that captures its owner.
import Foundation
final class Reminder {
  var timer: Timer?
  var rings = 0
  @inline(never) func prepare() {
    #if CLEAN
    timer = Timer(timeInterval: 60, repeats: true) { [weak self] _ in self?.rings += 1 }
    #else
    timer = Timer(timeInterval: 60, repeats: true) { _ in self.rings += 1 } // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let reminder = Reminder() // ALLOC
  reminder.prepare() // KEPT-CALL
  return reminder.rings
}
print(run())
