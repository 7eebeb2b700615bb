/// Inserts, removals and look-ups in a treap and in a dictionary of objects, half of the keys alive.
struct MixedWorkload {
  final class Entry {
    var uses = 0
  }

  private let keys: Int
  private var treap = Treap()
  private var entries: [Int: Entry] = [:]
  private var random = SplitMix64(state: 0x11FE_11FE)

  init(keys: Int) {
    self.keys = keys
    // Half of the keys at the start: as many inserts as removals will find work to do.
    for _ in 0..<keys / 2 { insert(randomKey()) }
  }

  @inline(never)
  mutating func run(_ count: Int) -> Int {
    var found = 0
    for _ in 0..<count {
      let key = randomKey()
      switch random.next() & 3 {
      case 0: insert(key)
      case 1: remove(key)
      default: found &+= uses(of: key)
      }
    }
    return found &+ entries.count
  }

  private mutating func randomKey() -> Int { Int(random.next() >> 16) % keys }

  private mutating func insert(_ key: Int) {
    guard entries[key] == nil else { return }
    treap.insert(key, priority: random.next())
    entries[key] = Entry()
  }

  private mutating func remove(_ key: Int) {
    guard entries.removeValue(forKey: key) != nil else { return }
    treap.remove(key)
  }

  private func uses(of key: Int) -> Int {
    guard treap.contains(key), let entry = entries[key] else { return 0 }
    entry.uses &+= 1
    return entry.uses
  }
}
