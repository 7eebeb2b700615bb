/// Finds the holds of an object at an event without looking at all of them.
///
/// Objects that a library asks for something thousands of times have thousands of holds, nearly all of them short. The
/// holds are sorted by their beginnings; above them is a binary tree with the latest end below each node.
struct HoldIndex: Sendable {
  /// Sorted.
  private let beginnings: [UInt64]
  /// The holds that begin then, by their numbers.
  private let numbers: [Int]
  /// Node 1 is the root, the children of `n` are `2n` and `2n + 1`, and the leaves are the second half.
  private let latestEnds: [UInt64]
  private let leafCount: Int

  /// O(n log n).
  init(_ holds: [Hold]) {
    let bounds = holds.map { (from: $0.from, to: $0.to ?? .max) }
    numbers = bounds.indices.sorted { (bounds[$0].from, $0) < (bounds[$1].from, $1) }
    beginnings = numbers.map { bounds[$0].from }
    var leafCount = 1
    while leafCount < holds.count { leafCount *= 2 }
    var ends = [UInt64](repeating: 0, count: 2 * leafCount)
    for (leaf, number) in numbers.enumerated() { ends[leafCount + leaf] = bounds[number].to }
    for node in (1..<leafCount).reversed() { ends[node] = max(ends[2 * node], ends[2 * node + 1]) }
    latestEnds = ends
    self.leafCount = leafCount
  }

  /// The numbers of the holds that held after an event, ascending. O((k + 1) log n) for k of them.
  func holding(at sequence: UInt64) -> [Int] {
    var begun = 0
    var end = beginnings.count
    while begun < end {
      let middle = (begun + end) / 2
      if beginnings[middle] <= sequence { begun = middle + 1 } else { end = middle }
    }
    var found: [Int] = []
    var nodes = begun > 0 ? [(node: 1, first: 0, count: leafCount)] : []
    while let (node, first, count) = nodes.popLast() {
      guard first < begun, latestEnds[node] > sequence else { continue }
      if count == 1 {
        found.append(numbers[first])
      } else {
        nodes.append((2 * node, first, count / 2))
        nodes.append((2 * node + 1, first + count / 2, count / 2))
      }
    }
    return found.sorted()
  }
}
