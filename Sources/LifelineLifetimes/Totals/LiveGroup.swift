import LifelineTrace

/// Objects of one class that were allocated at one place and are live at the end.
public struct LiveGroup: Sendable {
  struct Key: Hashable {
    let classIndex: Int
    let allocation: BacktraceID
  }

  public let className: String
  public let allocation: BacktraceID
  /// The oldest of them.
  public let first: ObjectID
  public private(set) var count = 0
  public private(set) var bytes = 0

  init(className: String, allocation: BacktraceID, first: ObjectID) {
    self.className = className
    self.allocation = allocation
    self.first = first
  }

  mutating func add(_ object: TrackedObject) {
    count += 1
    bytes += Int(object.size)
  }
}
