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
  /// Retains that could have been avoided together with the releases that balance them.
  case avoidable

  /// "B" for bytes; for the others a count.
  public var isBytes: Bool { self == .bytes || self == .liveBytes }
}
