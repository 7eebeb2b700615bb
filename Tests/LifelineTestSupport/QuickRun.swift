import Foundation
import Testing

/// `Scripts/test --quick`: only the unit tests, which neither compile nor start a program.
public enum QuickRun {
  public static let isOn = ProcessInfo.processInfo.environment["LIFELINE_QUICK"] != nil
}

extension Trait where Self == ConditionTrait {
  /// Marks a test or suite that compiles or starts programs; a quick run skips it, and starting a program anyway fails.
  public static var startsPrograms: Self { .disabled(if: QuickRun.isOn, "starts programs") }
}
