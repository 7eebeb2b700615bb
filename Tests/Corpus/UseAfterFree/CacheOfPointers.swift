// class: Image
// kind: use-after-free
// A cache keyed by name has pointers; the owner evicts the objects.
class Image { var width = 640; func draw() -> Int { width } }
final class Store { var images: [String: Image] = [:] }
final class Cache { var pointers: [String: UnsafeMutableRawPointer] = [:] }
@inline(never) func load(_ store: Store, _ cache: Cache) {
  let image = Image() // ALLOC
  store.images["a"] = image
  cache.pointers["a"] = Unmanaged.passUnretained(image).toOpaque()
}
@inline(never) func evict(_ store: Store) {
  store.images["a"] = nil // FREE
}
@inline(never) func draw(_ cache: Cache) -> Int {
  let image = Unmanaged<Image>.fromOpaque(cache.pointers["a"]!)
  return image.takeUnretainedValue().draw() // ACCESS
}
let store = Store(), cache = Cache()
load(store, cache)
#if !CLEAN
evict(store)
#endif
print(draw(cache) >= 0)
evict(store)
