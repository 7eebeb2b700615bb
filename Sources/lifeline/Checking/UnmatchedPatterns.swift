import LifelineRecording
import LifelineTrace

/// Class patterns of a recording that matched no recorded class.
struct UnmatchedPatterns {
  private let options: RecordingOptions
  private let classes: RecordedClasses

  /// `traces` are the paths of all traces of the run; one that cannot be opened has no classes here.
  init(_ options: RecordingOptions, traces: [String]) {
    self.options = options
    classes = RecordedClasses(traces.compactMap { try? Trace(path: $0) })
  }

  /// One sentence for each such pattern, in order of the options.
  var sentences: [String] {
    let patterns =
      options.only.map { ("--only", $0) } + options.retains.map { ("--retains", $0) }
      + options.guards.map { ("--guard", $0) }
    return patterns.compactMap { classes.problem($0, $1) }
  }
}
