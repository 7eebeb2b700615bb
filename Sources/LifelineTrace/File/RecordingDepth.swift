/// How much of an object's life a trace holds.
public enum RecordingDepth: String, Sendable, CaseIterable, Codable {
  /// Allocations and frees, with what the probe caught: uses after free and their kin.
  case lives
  /// Every retain, release, weak and unowned reference as well.
  case full
}
