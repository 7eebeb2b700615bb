// leak: 1 Total
// path:
// says: only the closure at main.swift:12, which nothing can call, holds it
// A dispatch group that is entered but not left: the closure that waits for it is lost with it.
import Dispatch
final class Total: @unchecked Sendable { var sum = 0 }
@inline(never) func run() -> Int {
  let group = DispatchGroup()
  let total = Total() // ALLOC KEPT
  group.enter()
  total.sum += 1
  group.notify(queue: .global()) { total.sum += 2 } // KEPT
  #if CLEAN
  group.leave()
  group.wait()
  #endif
  return total.sum > 0 ? 1 : 0
}
print(run()) // KEPT-CALL
