import LifelineTrace

/// What `check` judges: one run of a program or one trace, or the combination of two runs.
struct CheckedRun {
  /// Nil if no trace was written.
  let examined: ExaminedRun?
  /// How the program ended; nil for an existing trace.
  let end: Recording.End?
  /// Why there is no trace, or nil.
  let reason: String?
}
