import LifelineLifetimes

/// A sample of many objects, the same in every run: those whose numbers have the lowest hashes.
public struct ObjectSample {
  private let limit: Int
  private var candidates: [(key: UInt64, life: ObjectSummary)] = []
  /// Objects offered.
  public private(set) var count = 0

  /// `limit` is the maximum number kept.
  public init(limit: Int) { self.limit = limit }

  public mutating func add(_ life: ObjectSummary) {
    count += 1
    var key = life.allocation.sequence &* 0x9E37_79B9_7F4A_7C15
    key = (key ^ key >> 32) &* 0xD6E8_FEB8_6659_FD93
    candidates.append((key ^ key >> 32, life))
    if candidates.count > 2 * limit + 1024 { candidates = lowest }
  }

  private var lowest: [(key: UInt64, life: ObjectSummary)] {
    Array(candidates.sorted { $0.key < $1.key }.prefix(limit))
  }

  /// In order of allocation.
  public var lives: [ObjectSummary] { lowest.map(\.life).sorted { $0.allocation.sequence < $1.allocation.sequence } }
}
