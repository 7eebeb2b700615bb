import LifelineReporting
import LifelineTrace

/// The run without holds.
struct NaturalRun {
  let end: Recording.End
  let judgment: RunGate.Judgment
  /// Whether even that run exceeded the limit.
  let wasStopped: Bool
  /// Of its longest process; builds are not recorded.
  let microseconds: Int
  /// Maximum microseconds for all holds of a run; patient ones five times as long.
  let holdBudget: Int
  /// The end of its output, if it did not end with status 0.
  let output: String

  /// Seconds after which a run with holds is late for another reason: it may take twenty times as long as this one,
  /// plus a second for startup.
  var hangLimit: Double { 1 + Double(20 * microseconds + 5 * holdBudget) / 1e6 }
}
