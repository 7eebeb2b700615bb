/// What a profile counts.
public enum ProfileMetric: String, Sendable, CaseIterable, Codable {
  case allocations
  /// Bytes of the allocations.
  case bytes
  /// Objects whose deinit had not begun at the end.
  case live
  case liveBytes = "live-bytes"
  case retains
  case releases
  /// Retains that could have been left out together with the release that balances them.
  case avoidable

  /// "B" for bytes; others count.
  public var isBytes: Bool { self == .bytes || self == .liveBytes }
}
