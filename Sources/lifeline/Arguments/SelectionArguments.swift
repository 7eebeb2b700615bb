import ArgumentParser
import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Selects the part of a trace that is examined.
struct SelectionArguments: ParsableArguments {
  @Option(help: "Count only objects of these classes ('*' matches; repeatable).")
  var only: [String] = []

  @Option(help: "Leave out objects of these classes ('*' matches; repeatable).")
  var ignore: [String] = []

  @Option(help: "Count from this time of the recording on: '500ms', '10s', '2min'.")
  var from: String?

  @Option(help: "Count up to this time of the recording.")
  var to: String?

  func validate() throws {
    for (name, text) in [("from", from), ("to", to)] {
      if let text, Self.moment(text) == nil {
        throw ValidationError("--\(name) takes a time such as 500ms, 10s or 2min, not '\(text)'.")
      }
    }
    if let span, span.isEmpty { throw ValidationError("--from must be before --to.") }
  }

  private static func moment(_ text: String) -> UInt64? { text == "0" ? 0 : GrowthCommand.span(text) }

  private var span: Range<UInt64>? {
    guard from != nil || to != nil else { return nil }
    let start = from.flatMap(Self.moment) ?? 0
    let end = to.flatMap(Self.moment) ?? .max
    return start..<max(start, end)
  }

  var selection: EventSelection {
    let wanted = only.map { NamePattern($0) }
    let unwanted = ignore.map { NamePattern($0) }
    return EventSelection(span: span) { name in
      (wanted.isEmpty || wanted.contains { $0.matchesClass(name) }) && !unwanted.contains { $0.matchesClass(name) }
    }
  }

  /// A time span after the end would look like a program that did nothing.
  private func examineSpan(_ traces: [Trace]) throws {
    let recordings = traces.map(\.recording)
    guard let from, let span, recordings.allSatisfy({ $0.state == .ended && $0.duration <= span.lowerBound }) else {
      return
    }
    let longest = recordings.map(\.duration).max() ?? 0
    throw TraceError("The recording lasted \(longest / 1_000_000) ms; --from \(from) is after its end.")
  }

  /// Reports patterns that matched no class; those of --ignore may.
  ///
  /// - Throws: `TraceError` if no class is left.
  func examine(_ traces: [Trace]) throws {
    try examineSpan(traces)
    let classes = RecordedClasses(traces)
    let problems = only.compactMap { classes.problem("--only", $0) }
    if let last = problems.last, problems.count == only.count {
      problems.dropLast().forEach(Console.log)
      throw TraceError(last)
    }
    problems.forEach(Console.log)
    if !classes.names.isEmpty, !classes.names.contains(where: selection.isWanted) {
      throw TraceError(
        only.isEmpty
          ? "--ignore excludes all classes." : "--only and --ignore together exclude all classes.")
    }
  }
}
