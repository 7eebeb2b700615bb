import LifelineLifetimes
import LifelineTrace

/// Everything that is concluded from one trace.
public struct Diagnosis {
  public let summary: LifetimeSummary
  public let findings: [Finding]
  public let verdict: Verdict
  /// Why the recording could not show that the run was clean, whatever was found; nil when it could.
  public let obstacle: String?
  /// Backtraces that the findings refer to.
  public let backtraces: BacktraceTable

  /// Reads the trace once, and once more when something in it needs the whole history of an object.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public init(_ trace: Trace, progress: ((UInt64) -> Void)? = nil) throws {
    summary = try LifetimeSummary(trace, progress: progress)
    let accesses = summary.tracker.accesses
    var reader = HistoryReader(trace)
    let histories = accesses.isEmpty ? [] : try reader.histories(of: Set(accesses.map(\.object)))
    findings = AccessInspector(histories: histories).findings(accesses, summary.tracker.backtraces)
    backtraces = reader.backtraces
    obstacle = Self.obstacle(trace, summary)
    verdict = findings.contains { $0.severity == .error } ? .findings : obstacle.map { .none($0) } ?? .clean
  }

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
