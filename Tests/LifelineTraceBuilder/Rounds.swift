import Foundation

/// How often a test tries random input.
public enum Rounds {
  private static let factor = ProcessInfo.processInfo.environment["LIFELINE_ROUNDS"].flatMap { Int($0) } ?? 1

  /// Numbers of `count` rounds; of `LIFELINE_ROUNDS` times as many where that is set, as by `Scripts/prove-inputs`.
  public static func some(_ count: Int) -> Range<Int> { 0..<max(1, count * factor) }
}
