// Non-owning properties, and manual retains that are balanced in deinit: together they own the objects.
final class Item { let number: Int; init(_ number: Int) { self.number = number } }
final class Owner {
  unowned(unsafe) let item: Item
  unowned var next: Item
  let other: Unmanaged<Item>
  init() {
    let item = Item(4)
    _ = Unmanaged.passRetained(item)
    self.item = item
    let next = Item(3)
    _ = Unmanaged.passRetained(next)
    self.next = next
    other = Unmanaged.passRetained(Item(5))
  }
  deinit {
    Unmanaged.passUnretained(item).release()
    Unmanaged.passUnretained(next).release()
    other.release()
  }
}
nonisolated(unsafe) var owner: Owner?
@inline(never) func make() { owner = Owner() }
make()
@inline(never) func sum() -> Int { owner!.item.number + owner!.next.number + owner!.other.takeUnretainedValue().number }
print(sum())
