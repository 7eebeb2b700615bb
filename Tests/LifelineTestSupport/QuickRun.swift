import Foundation
import Testing

/// `Scripts/test --quick`: the unit tests alone, which neither compile nor start a program.
public enum QuickRun {
  public static let isOn = ProcessInfo.processInfo.environment["LIFELINE_QUICK"] != nil
}

extension Trait where Self == ConditionTrait {
  /// A test or suite that compiles or starts programs; in a quick run it is left out, and starting one anyway fails.
  public static var startsPrograms: Self { .disabled(if: QuickRun.isOn, "starts programs") }
}
