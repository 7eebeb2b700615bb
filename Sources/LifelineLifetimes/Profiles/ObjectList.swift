/// The first objects in an order, of any number that are added; uses memory for twice `limit` objects.
public struct ObjectList: Sendable {
  private let order: ObjectOrder
  private let limit: Int
  private let liveOnly: Bool
  private var kept: [ObjectSummary] = []
  /// All objects that were added, including those not kept.
  public private(set) var count = 0
  /// Bytes of all of them.
  public private(set) var bytes = 0
  /// Those that were live at the end.
  public private(set) var liveCount = 0

  /// - Parameter limit: At least 1.
  /// - Parameter liveOnly: Omits objects that have ended.
  public init(order: ObjectOrder, limit: Int, liveOnly: Bool = false) {
    self.order = order
    self.limit = limit
    self.liveOnly = liveOnly
  }

  public mutating func add(_ life: ObjectSummary) {
    guard life.state == .live || !liveOnly else { return }
    count += 1
    bytes += life.size
    if life.state == .live { liveCount += 1 }
    kept.append(life)
    if kept.count > limit, kept.count - limit >= limit { kept = lives }
  }

  /// At most `limit`, in order.
  public var lives: [ObjectSummary] { Array(kept.sorted(by: order.areInOrder).prefix(limit)) }
}
