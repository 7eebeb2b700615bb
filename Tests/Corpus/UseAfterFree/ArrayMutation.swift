// class: Basket
// kind: use-after-free
// An array inside a freed object is appended to: the accessor is a call.
class Basket { var items: [Int] = [1]; func add(_ item: Int) { items.append(item) } }
final class Shop { var basket: Basket? }
@inline(never) func enter(_ shop: Shop) -> Unmanaged<Basket> {
  shop.basket = Basket() // ALLOC
  return .passUnretained(shop.basket!)
}
@inline(never) func leave(_ shop: Shop) {
  shop.basket = nil // FREE
}
@inline(never) func add(_ basket: Unmanaged<Basket>) {
  basket._withUnsafeGuaranteedRef { $0.add(2) } // ACCESS
}
let shop = Shop()
let basket = enter(shop)
#if !CLEAN
leave(shop)
#endif
add(basket)
leave(shop)
print("end")
