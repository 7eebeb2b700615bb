import LifelineTrace

/// Something wrong that the recorder saw itself while the program ran.
public struct CaughtFinding: Sendable, Equatable {
  public let kind: EventKind
  /// Number of the class's record, where it is known.
  public let record: Int?
  public let object: UInt64
  public let site: BacktraceID

  /// As findings are called in reports: "use-after-free".
  public var name: String {
    switch kind {
    case .useAfterFree: "use-after-free"
    case .overRelease: "over-release"
    case .resurrection: "resurrection"
    case .unownedAfterDeinit: "unowned-after-deinit"
    default: "not-an-object"
    }
  }
}
