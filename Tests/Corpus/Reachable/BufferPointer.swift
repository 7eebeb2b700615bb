// Elements after an object of a class without properties: the buffers of a ManagedBufferPointer.
final class Item { let number: Int; init(_ number: Int) { self.number = number } }
struct Head { var count: Int }
final class Storage {
  deinit {
    ManagedBufferPointer<Head, Item>(unsafeBufferObject: self).withUnsafeMutablePointers {
      _ = $1.deinitialize(count: $0.pointee.count)
    }
  }
}
struct List {
  var buffer: ManagedBufferPointer<Head, Item>
  init() { buffer = ManagedBufferPointer(bufferClass: Storage.self, minimumCapacity: 16) { _, _ in Head(count: 0) } }
  @inline(never) mutating func add(_ item: Item) {
    buffer.withUnsafeMutablePointers {
      ($1 + $0.pointee.count).initialize(to: item)
      $0.pointee.count += 1
    }
  }
}
nonisolated(unsafe) var list = List()
@inline(never) func fill() { for number in 0..<8 { list.add(Item(number)) } }
fill()
print(
  list.buffer.withUnsafeMutablePointers { head, items in (0..<head.pointee.count).reduce(0) { $0 + items[$1].number } })
