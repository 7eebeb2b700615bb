// class: Wrapper<Swift.Int>
// kind: use-after-free
// A generic class, whose metadata is created at run time.
class Wrapper<T> { var value: T; init(_ value: T) { self.value = value }; func get() -> T { value } }
final class Shelf { var wrapper: Wrapper<Int>? }
@inline(never) func put(_ shelf: Shelf) -> Unmanaged<Wrapper<Int>> {
  shelf.wrapper = Wrapper(4) // ALLOC
  return .passUnretained(shelf.wrapper!)
}
@inline(never) func take(_ shelf: Shelf) {
  shelf.wrapper = nil // FREE
}
@inline(never) func read(_ wrapper: Unmanaged<Wrapper<Int>>) -> Int {
  wrapper.takeUnretainedValue().get() // ACCESS
}
let shelf = Shelf()
let wrapper = put(shelf)
#if !CLEAN
take(shelf)
#endif
print(read(wrapper) >= 0)
take(shelf)
