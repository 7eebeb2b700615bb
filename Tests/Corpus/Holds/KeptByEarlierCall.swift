// object: Order#1
// verdict: late
// rule: dispatch-block
// finding: none
// Two calls from one place, in a loop: the first one filled the property, and the second released what it held.
import Dispatch
final class Order { let id: Int; init(_ id: Int) { self.id = id } }
final class Archive {
  private var last: Order?
  @inline(never) func archive(_ order: Order) {
    last = order // OWNER
  }
}
let archive = Archive()
let queue = DispatchQueue(label: "prints")
nonisolated(unsafe) var printed = 0
@inline(never) func place(_ id: Int) {
  let order = Order(id)
  if id == 1 { queue.async { printed += order.id } }
  archive.archive(order)
}
queue.suspend()
for id in 1...2 { place(id) }
queue.resume()
queue.sync {}
print(printed)
