// class: Item
// kind: use-after-free
// A freed object is added to an array: libswiftCore retains it for the array.
class Item { var price = 3 }
final class Cart { var item: Item? }
@inline(never) func fill(_ cart: Cart) -> Unmanaged<Item> {
  cart.item = Item() // ALLOC
  return .passUnretained(cart.item!)
}
@inline(never) func empty(_ cart: Cart) {
  cart.item = nil // FREE
}
@inline(never) func copies(_ item: Unmanaged<Item>) -> [Item] {
  Array(repeating: item._withUnsafeGuaranteedRef { $0 }, count: 3) // ACCESS
}
let cart = Cart()
let item = fill(cart)
#if !CLEAN
empty(cart)
#endif
print(copies(item).count) // ACCESS-CALL
empty(cart)
