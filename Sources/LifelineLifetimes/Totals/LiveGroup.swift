import LifelineTrace

/// Objects of one class allocated at one site that are live at the end.
public struct LiveGroup: Sendable {
  struct Key: Hashable {
    let classIndex: Int
    let allocation: BacktraceID
  }

  public let className: String
  public let allocation: BacktraceID
  /// The oldest of them.
  public let first: ObjectID
  public private(set) var count: Int
  public private(set) var bytes: Int

  public init(className: String, allocation: BacktraceID, first: ObjectID, count: Int = 0, bytes: Int = 0) {
    self.className = className
    self.allocation = allocation
    self.first = first
    self.count = count
    self.bytes = bytes
  }

  mutating func add(_ object: TrackedObject) {
    count += 1
    bytes += Int(object.size)
  }
}
