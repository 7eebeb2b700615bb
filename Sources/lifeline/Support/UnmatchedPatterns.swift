import LifelineAnalysis
import LifelineRecording
import LifelineTrace

/// Class patterns that matched no recorded class: a misspelt one would otherwise go unnoticed.
struct UnmatchedPatterns {
  private let options: RecordingOptions
  private let classes: Set<String>

  /// `traces` are the paths of all traces of the run; one that cannot be opened has no classes here.
  init(_ options: RecordingOptions, traces: [String]) {
    self.options = options
    classes = Set(traces.compactMap { try? Trace(path: $0) }.flatMap { $0.tables.classes.values.map(\.name) })
  }

  /// One for each such pattern, in order of the options.
  var sentences: [String] {
    let patterns =
      options.only.map { ("--only", $0) } + options.retains.map { ("--retains", $0) }
      + options.guards.map { ("--guard", $0) }
    return patterns.filter { !matches($0.1) }.map { option, pattern in
      "\(option) '\(pattern)' matched no class whose objects were recorded."
        + Suggestion(for: pattern, among: shortNames).sentence
    }
  }

  private func matches(_ text: String) -> Bool {
    let pattern = NamePattern(text)
    return classes.contains { pattern.matches($0) || pattern.matches(Self.short($0)) }
  }

  private var shortNames: [String] { classes.map(Self.short).filter { !$0.hasPrefix("(") } }

  private static func short(_ name: String) -> String {
    name.split(separator: ".", maxSplits: 1).last.map(String.init) ?? name
  }
}
