// leak: 1 Cart, 1 Line
// path: Cart.lines, Line.cart
// A leaked cycle also refers to an object that is alive: the catalogue is not leaked.
final class Catalogue { var prices = [1, 2, 3] }
final class Cart { var lines: [Line] = []; let catalogue: Catalogue; init(_ catalogue: Catalogue) { self.catalogue = catalogue } }
final class Line { var cart: Cart? }
let catalogue = Catalogue()
@inline(never) func shop() -> Int {
  let cart = Cart(catalogue) // ALLOC
  let line = Line() // ALLOC
  cart.lines.append(line)
  #if !CLEAN
  line.cart = cart // KEPT
  #endif
  return cart.catalogue.prices[0]
}
print(shop(), catalogue.prices.count)
