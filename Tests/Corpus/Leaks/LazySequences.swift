// leak: 1 Catalogue
// path: Catalogue.cheap, closure
// change: Capture self
// A lazy sequence and its iterator hold one closure: it has to be changed only once.
final class Catalogue {
  var prices = (0..<10).map { $0 * 2 }
  var discount = 1
  var cheap = AnySequence<Int>([])
  var iterator: AnyIterator<Int>?
  func prepare() {
    #if CLEAN
    let discount = discount
    cheap = AnySequence(prices.lazy.filter { $0 > 3 }.map { $0 - discount })
    #else
    cheap = AnySequence(prices.lazy.filter { $0 > 3 }.map { $0 - self.discount }) // KEPT
    #endif
    iterator = cheap.makeIterator()
  }
}
@inline(never) func run() -> Int {
  let catalogue = Catalogue() // ALLOC
  catalogue.prepare()
  var sum = 0
  while let price = catalogue.iterator?.next() { sum += price }
  return sum
}
print(run())
