// leak: 1 Counter
// path: Counter.thread, closure
// A thread object that was never started keeps the block that captures its owner.
import Foundation
final class Counter {
  var thread: Thread?
  var count = 0
  @inline(never) func prepare() {
    #if CLEAN
    thread = Thread { [weak self] in self?.count += 1 }
    #else
    thread = Thread { self.count += 1 } // KEPT
    #endif
  }
}
@inline(never) func run() -> Int {
  let counter = Counter() // ALLOC
  counter.prepare() // KEPT-CALL
  return counter.count
}
print(run())
