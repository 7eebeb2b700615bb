/// A set of small indices of objects.
struct ObjectSet {
  private var words: [UInt64]

  /// An empty set for indices below `count`.
  init(below count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  func contains(_ object: Int) -> Bool { words[object >> 6] & 1 << UInt64(object & 63) != 0 }

  mutating func insert(_ object: Int) { words[object >> 6] |= 1 << UInt64(object & 63) }

  func union(_ other: ObjectSet?) -> ObjectSet {
    guard let other else { return self }
    var result = self
    for index in words.indices { result.words[index] |= other.words[index] }
    return result
  }
}
