// leak: 1 Order
// path:
// The child of an `async let` waits for a continuation that is lost: its line is named, not the one at which its parent
// waits for it. Everything is on the main actor, so that both tasks already wait when the program ends.
import Glibc

final class Order: @unchecked Sendable { var price = 0 }
final class Gate: @unchecked Sendable {
  var waiting: UnsafeContinuation<Int, Never>?
  var started: UnsafeContinuation<Void, Never>?
  var isBought = false
}
let gate = Gate()
@MainActor @inline(never) func price(_ order: Order) async -> Int {
  await withUnsafeContinuation { continuation in // KEPT
    gate.waiting = continuation
    gate.started?.resume()
  } // KEPT
}
@inline(never) func make() -> Order { Order() } // ALLOC
@MainActor @inline(never) func buy() async {
  let order = make() // ALLOC
  async let found = price(order)
  order.price = await found
  print(order.price)
  gate.isBought = true
}
@MainActor @inline(never) func run() async {
  await withUnsafeContinuation { continuation in
    gate.started = continuation
    Task { await buy() }
  }
  gate.started = nil
  #if CLEAN
  gate.waiting?.resume(returning: 1)
  while !gate.isBought { await Task.yield() }
  #endif
  gate.waiting = nil
}
await run()
// The thread that handed the child to the main actor may still have it on its stack, for a moment.
usleep(100_000)
print("end")
