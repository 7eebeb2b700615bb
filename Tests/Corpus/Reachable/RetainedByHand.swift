// A non-owning property, and a manual retain that is balanced in deinit: together they own the object.
final class Item { let number: Int; init(_ number: Int) { self.number = number } }
final class Owner {
  unowned(unsafe) let item: Item
  let other: Unmanaged<Item>
  init() {
    let item = Item(4)
    _ = Unmanaged.passRetained(item)
    self.item = item
    other = Unmanaged.passRetained(Item(5))
  }
  deinit {
    Unmanaged.passUnretained(item).release()
    other.release()
  }
}
nonisolated(unsafe) var owner: Owner?
@inline(never) func make() { owner = Owner() }
make()
@inline(never) func sum() -> Int { owner!.item.number + owner!.other.takeUnretainedValue().number }
print(sum())
