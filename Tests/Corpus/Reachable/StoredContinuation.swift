// A task waits for a continuation that a global keeps.
final class Order: @unchecked Sendable { var price = 1 }
final class Desk: @unchecked Sendable { var waiting: [CheckedContinuation<Int, Never>] = []; var started: CheckedContinuation<Void, Never>? }
let desk = Desk()
@inline(never) func order() async {
  let order = Order()
  order.price += await withCheckedContinuation { desk.waiting.append($0); desk.started?.resume() }
  print(order.price)
}
await withCheckedContinuation { continuation in
  desk.started = continuation
  Task { await order() }
}
print(desk.waiting.count)
