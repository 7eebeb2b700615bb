/// Stores two objects in turn in one place: four retain or release events a repetition, and nothing else.
final class RetainReleaseLoop {
  final class Item {
    let value: Int
    init(value: Int) { self.value = value }
  }

  private var current: Item

  init() { current = Item(value: 0) }

  @inline(never)
  func run(_ count: Int) -> Int {
    let first = Item(value: 1), second = Item(value: 2)
    for _ in 0..<count {
      store(first)
      store(second)
    }
    return current.value
  }

  // A call of its own, so that the first of two stores is not taken for a dead one.
  @inline(never)
  private func store(_ item: Item) { current = item }
}
