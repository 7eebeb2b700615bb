import LifelineTrace

/// A problem that the recorder itself detected while the program ran.
public struct CaughtFinding: Sendable, Equatable {
  public let kind: EventKind
  /// Number of the class's record, if known.
  public let record: Int?
  public let object: UInt64
  public let site: BacktraceID

  /// The name that reports use: "use-after-free".
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
