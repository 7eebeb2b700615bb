/// How much of an object's life a trace contains.
public enum RecordingDepth: String, Sendable, CaseIterable, Codable {
  /// Allocations and frees, with what the probe caught: uses after free and similar problems.
  case lives
  /// Every retain, release, weak and unowned reference as well.
  case full
}
