import LifelineTrace

/// What `check` judges: one run of a program or one trace, or what two runs say together.
struct CheckedRun {
  /// Nil when no trace was written.
  let examined: ExaminedRun?
  /// How the program ended; nil for a trace that was there already.
  let end: Recording.End?
  /// Why there is no trace, or nil.
  let reason: String?
}
