import LifelineLifetimes
import LifelineTrace

/// Decides why a recording cannot prove that a run was clean.
public struct RecordingCompleteness {
  /// A sentence, or nil if everything that matters was seen.
  public let sentence: String?
  /// Whether the only problem is that the process had no recorded object, which does not matter among other processes.
  public let isOnlyEmpty: Bool

  public init(_ trace: Trace, _ summary: LifetimeSummary) {
    self.init(trace, events: summary.events, problems: summary.problems)
  }

  /// - Parameters:
  ///   - events: The number of events in the trace.
  ///   - problems: Sentences about damage in them.
  ///   - needsBeginning: Whether the time before an attach matters.
  public init(_ trace: Trace, events: UInt64, problems: [String], needsBeginning: Bool = true) {
    let damage = Self.damage(trace, events, problems)
    sentence =
      damage ?? (needsBeginning ? Self.beginning(trace.recording) : nil) ?? Self.choice(trace) ?? Self.keeping(trace)
      ?? Self.absence(trace, events) ?? Self.loss(trace)
    isOnlyEmpty = damage == nil && events == 0 && trace.recording.sample == 1
  }

  private static func damage(_ trace: Trace, _ events: UInt64, _ problems: [String]) -> String? {
    let recording = trace.recording
    let isDamaged = !trace.problems.isEmpty || !problems.isEmpty
    if let sentence = recording.stopSentence { return "The recording stopped early: \(sentence)." }
    if !isDamaged, trace.tables.runtime == nil, trace.tables.detours.isEmpty, events == 0 {
      return "Nothing was recorded: the trace has no Swift runtime."
    }
    let essential = ["swift_retain", "swift_release", "swift_allocObject", "swift_deallocObject"]
    if let blind = trace.tables.detours.first(where: { $0.status != .active && essential.contains($0.entryPoint) }) {
      return "Calls to \(blind.entryPoint) could not be seen in this runtime."
    }
    return isDamaged ? "The trace is damaged or truncated, so a part is missing." : nil
  }

  private static func beginning(_ recording: Recording) -> String? {
    let isEnded = recording.end == .detached
    guard let age = recording.age else {
      return isEnded ? "The recording ended before the process did: what happened afterwards is unknown." : nil
    }
    let end = isEnded ? ", and ended before the process did" : ""
    return
      "The recording began \(age / 1_000_000_000).\(age / 100_000_000 % 10) s after the process did\(end): "
      + "what happened outside of it is unknown."
  }

  private static func choice(_ trace: Trace) -> String? {
    guard trace.recording.sample > 1 else { return nil }
    return
      "One object in \(trace.recording.sample) was recorded (\(trace.sampleOption)), which says nothing about others."
  }

  private static func keeping(_ trace: Trace) -> String? {
    guard trace.baseLine != nil, let keep = trace.recording.keep else { return nil }
    return
      "The recording keeps only its latest part (--keep \(keep.text)): from earlier, only live objects and what was "
      + "caught."
  }

  private static func absence(_ trace: Trace, _ events: UInt64) -> String? {
    guard events == 0 else { return nil }
    return trace.recording.isFiltered
      ? "No object of the chosen classes was seen; check --only and --ignore."
      : "No object of the program's own classes was seen; those that the optimizer puts on the stack are not recorded, "
        + "and those of libraries only with --all-classes."
  }

  private static func loss(_ trace: Trace) -> String? {
    trace.recording.counters.first { $0.name.hasPrefix("lost") }.map { "\($0.value) \($0.meaning) were lost." }
  }
}
