import LifelineLifetimes

/// Sums of a profile by frame: for the frame itself, and for everything that it calls.
struct CallTotals {
  /// Beside the tree's frames.
  private(set) var exclusive: [ProfileCost]
  private(set) var inclusive: [ProfileCost]
  /// The costs between a frame and its caller: the key is caller << 32 | callee.
  private(set) var edges: [UInt64: ProfileCost] = [:]
  /// By frame: where it is the innermost line of the program's own code.
  private(set) var own: [ProfileCost]

  /// O(samples × depth).
  init(_ profile: CallProfile) {
    let tree = profile.tree
    let zero = [ProfileCost](repeating: ProfileCost(), count: tree.frames.count)
    (exclusive, inclusive, own) = (zero, zero, zero)
    var seen = [Int](repeating: -1, count: tree.frames.count)
    var seenEdges: Set<UInt64> = []
    for (number, sample) in profile.samples.enumerated() {
      let path = tree.path(sample.node)
      guard let innermost = path.first else { continue }
      exclusive[innermost] += sample.cost
      if let place = Self.place(path, tree) { own[place] += sample.cost }
      seenEdges.removeAll(keepingCapacity: true)
      for (index, frame) in path.enumerated() {
        if seen[frame] != number {
          seen[frame] = number
          inclusive[frame] += sample.cost
        }
        guard index + 1 < path.count else { break }
        let edge = UInt64(path[index + 1]) << 32 | UInt64(frame)
        if seenEdges.insert(edge).inserted { edges[edge, default: ProfileCost()] += sample.cost }
      }
    }
  }

  /// The innermost frame of the program's own code that has a line.
  static func place(_ path: [Int], _ tree: CallTree) -> Int? {
    path.first { !tree.frames[$0].isSystem && tree.frames[$0].line ?? 0 > 0 && tree.frames[$0].file != nil }
  }
}
