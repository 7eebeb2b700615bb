import LifelineTrace

/// Final releases by place in the code: their number, and the first few objects of each place.
public struct FinalReleaseTable: Sendable {
  /// An object whose deinit was started from a place.
  public struct Sample: Sendable {
    public let object: ObjectID
    public let allocation: BacktraceID
    public let thread: UInt32
    public let sequence: UInt64
  }

  public struct Group: Sendable {
    public let backtrace: BacktraceID
    public internal(set) var count = 0
    public internal(set) var samples: [Sample] = []
  }

  /// Objects remembered per place; the others are only counted.
  public static let sampleLimit = 8

  public private(set) var groups: [Group] = []
  /// Index of a backtrace's group plus 1, by the backtrace's number.
  private var indices: [Int32] = []

  @inline(__always)
  mutating func add(_ backtrace: BacktraceID, _ sample: () -> Sample) {
    let number = Int(backtrace.rawValue)
    if number >= indices.count { indices += repeatElement(0, count: max(number + 1 - indices.count, indices.count)) }
    if indices[number] == 0 {
      groups.append(Group(backtrace: backtrace))
      indices[number] = Int32(truncatingIfNeeded: groups.count)
    }
    let index = Int(indices[number]) - 1
    groups[index].count += 1
    if groups[index].samples.count < Self.sampleLimit { groups[index].samples.append(sample()) }
  }
}
