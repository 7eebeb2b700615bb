import LifelineLifetimes
import LifelineTrace

/// Decides why a recording cannot prove that a run was clean.
public struct RecordingCompleteness {
  /// A sentence, or nil when everything that matters was seen.
  public let sentence: String?

  public init(_ trace: Trace, _ summary: LifetimeSummary) { sentence = Self.obstacle(trace, summary) }

  private static func obstacle(_ trace: Trace, _ summary: LifetimeSummary) -> String? {
    let recording = trace.recording
    if trace.tables.method == 0, trace.tables.detours.isEmpty, summary.events == 0 {
      return "Nothing was recorded: the trace names no Swift runtime."
    }
    if let sentence = recording.stopSentence { return "The recording stopped early: \(sentence)." }
    let essential = ["swift_retain", "swift_release", "swift_allocObject", "swift_deallocObject"]
    if let blind = trace.tables.detours.first(where: { $0.status != .active && essential.contains($0.entryPoint) }) {
      return "Calls of \(blind.entryPoint) could not be seen in this runtime."
    }
    if !trace.problems.isEmpty || !summary.problems.isEmpty { return "The trace is damaged; see what is missing above." }
    if summary.events == 0 {
      return recording.isFiltered
        ? "No object of the chosen classes was seen; check --only and --ignore."
        : "No object of the program's own classes was seen; --all-classes records those of the libraries too."
    }
    if let lost = recording.counters.first(where: { $0.name.hasPrefix("lost") }) {
      return "\(lost.value) \(lost.meaning) were lost."
    }
    return nil
  }
}
