/// Live objects of one class from one site, generation by generation, and whether they grow.
struct GrowthSeries: Equatable, Sendable {
  /// Live objects at the end of each generation.
  var counts: [Int]
  /// The fewest live objects in each generation after the first.
  ///
  /// At the end of a generation some objects may just be in use, so that the count there goes up and down; what is
  /// never freed raises the lowest count all the same.
  var lows: [Int]

  /// The counts that grow, and the number of generations from one to the next; nil if none do. O(n log n).
  ///
  /// Generations may be shorter than the time in which the program gains an object, so several are also taken together.
  /// At least eight steps must grow then, which rarely happens by chance.
  var growing: (counts: [Int], rounds: Int)? {
    if Growth.isGrowing(counts) { return (counts, 1) }
    var rounds = 1
    while lows.count / rounds >= Self.fewestLows {
      let joined = lows(joining: rounds)
      if Growth.isGrowing(joined) { return (joined, rounds) }
      rounds = rounds < 3 ? rounds + 1 : rounds % 3 == 0 ? rounds / 3 * 4 : rounds / 2 * 3
    }
    return nil
  }

  private static let fewestLows = 8

  /// The lows of as many generations together; what does not fill a step is left out at the beginning.
  private func lows(joining rounds: Int) -> [Int] {
    stride(from: lows.count % rounds, to: lows.count, by: rounds).map { lows[$0..<$0 + rounds].min()! }
  }

  static func + (one: Self, other: Self) -> Self {
    Self(counts: zip(one.counts, other.counts).map(+), lows: zip(one.lows, other.lows).map(+))
  }
}
