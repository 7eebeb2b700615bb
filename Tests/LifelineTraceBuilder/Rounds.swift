import Foundation

/// The number of times a test tries random input.
public enum Rounds {
  private static let factor = ProcessInfo.processInfo.environment["LIFELINE_ROUNDS"].flatMap { Int($0) } ?? 1

  /// The numbers of `count` rounds, multiplied by `LIFELINE_ROUNDS` if it is set, as by `Scripts/prove-inputs`.
  public static func some(_ count: Int) -> Range<Int> { 0..<max(1, count * factor) }
}
