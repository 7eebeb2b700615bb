import LifelineReporting
import LifelineTrace

/// The run without holds.
struct NaturalRun {
  let end: Recording.End
  let judgment: RunGate.Judgment
  /// Whether even that run took longer than the limit.
  let wasStopped: Bool
  /// Of its longest process: of a build nothing is recorded.
  let microseconds: Int
  /// Microseconds that all holds of a run may take; patient ones five times as long.
  let holdBudget: Int
  /// The end of what it printed, where it did not end with status 0.
  let output: String

  /// Seconds after which a run with holds is late for another reason than them: it may take twenty times as long as
  /// this one, and all starting up a second.
  var hangLimit: Double { 1 + Double(20 * microseconds + 5 * holdBudget) / 1e6 }
}
