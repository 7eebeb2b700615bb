// object: Order#1
// Code on a serial queue gives two steps unowned references to an order, removes the order, and runs the steps.
import Dispatch
final class Order { var lines = [3, 4]; @inline(never) func sum() -> Int { lines.reduce(0, +) } }
final class Step {
  unowned let order: Order
  init(_ order: Order) { self.order = order }
  @inline(never) func run() -> Int { order.sum() }
}
final class Orders {
  var all: [Int: Order] = [7: Order()]
  @inline(never) func remove(_ number: Int) { all[number] = nil }
}
final class Worker {
  let orders = Orders(), queue = DispatchQueue(label: "orders")
  @inline(never) func process(_ number: Int) -> Int {
    queue.sync {
      guard let order = orders.all[number] else { return 0 }
      let steps = [Step(order), Step(order)]
      orders.remove(number)
      return steps.reduce(0) { $0 + $1.run() } + withExtendedLifetime(order) { 0 }
    }
  }
}
print("end", Worker().process(7))
