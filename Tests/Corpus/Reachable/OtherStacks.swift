// Objects that only the stacks of other threads hold when main returns.
import Foundation
final class Work { var items: [Work] = []; var done = 0 }
let started = DispatchSemaphore(value: 0)
let never = DispatchSemaphore(value: 0)
@_optimize(none) func block() {
  let work = Work()
  work.items = [Work(), Work()]
  started.signal()
  never.wait()
  work.done += work.items.count
}
for _ in 0..<4 { Thread { block() }.start() }
for _ in 0..<4 { started.wait() }
print("end")
