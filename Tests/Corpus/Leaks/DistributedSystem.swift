// leak: 1 Cart, 1 Item
// not: actorSystem
// A local system keeps its distributed actors, and they keep it: by properties that the compiler declares.
import Distributed
distributed actor Cart {
  typealias ActorSystem = LocalTestingDistributedActorSystem
  var items: [Item] = []
  distributed func add(_ number: Int) -> Int {
    items.append(Item(number))
    return items.count
  }
}
final class Item {
  let number: Int
  init(_ number: Int) { self.number = number }
}
@inline(never) func run() async throws {
  #if CLEAN
  print(Item(3).number)
  #else
  let cart = Cart(actorSystem: LocalTestingDistributedActorSystem()) // ALLOC KEPT
  print(try await cart.add(3))
  #endif
}
try await run() // KEPT-CALL
