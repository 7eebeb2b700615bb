import ArgumentParser
import Foundation
import LifelineAnalysis
import LifelineCompaction
import LifelineHeap
import LifelineLifetimes
import LifelineRecording
import LifelineReporting
import LifelineTrace

struct GrowthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growth", abstract: "Finds what gains live objects in every generation of a run.",
    discussion: """
      A generation ends at each Timeline.mark of the program, by --every, or by --signal; in a trace that 'growth -o' \
      made, as it was recorded. At least four are needed: \
      the first is a warm-up, and several distinguish growth from chance. Exits with 0 when nothing grows, 1 when \
      something does, 2 when the tool failed, 3 when there are too few generations or the recording cannot show \
      growth (it lost events, stopped, or has no objects), 127 when the program could not be started.
      """)

  @OptionGroup var file: TraceFileArguments
  @OptionGroup var choice: ChoiceArguments

  @OptionGroup var start: StartArguments
  @OptionGroup var symbols: SymbolArguments

  @Option(help: "Length of a generation: '500ms', '10s', '2min'.")
  var every: String?

  @Option(help: "End a generation only at marks whose text matches ('*' matches).")
  var mark: String?

  @Option(help: "End a generation when lifeline, not the program, gets this signal: USR1 or USR2.")
  var signal: MomentSignal?

  @Option(help: "text or json. A program's own output comes before it: -o keeps the trace for 'growth TRACE'.")
  var format: Format = .text

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: "A trace, or a program and its arguments after --.")
  var subject: [String]

  private static let units: [(suffix: String, factor: UInt64)] = [
    ("ms", 1_000_000), ("min", 60_000_000_000), ("us", 1000), ("s", 1_000_000_000), ("h", 3_600_000_000_000),
  ]

  /// Nanoseconds of "10s"; nil for an invalid time.
  static func span(_ text: String) -> UInt64? {
    for (suffix, factor) in units where text.hasSuffix(suffix) {
      guard let number = UInt64(text.dropLast(suffix.count)), number > 0, number < UInt64.max / factor else { continue }
      return number * factor
    }
    return nil
  }

  private var recording: RecordingArguments { RecordingArguments(choice, start) }

  func validate() throws {
    try recording.validate()
    if subject.isEmpty { throw ValidationError("Give a trace, or a program after --.") }
    let given = [every.map { _ in "--every" }, mark.map { _ in "--mark" }, signal.map { _ in "--signal" }]
      .compactMap { $0 }
    if given.count > 1 { throw ValidationError("\(given[0]) and \(given[1]) cannot be combined.") }
    if signal != nil, !isProgram {
      throw ValidationError(
        "--signal needs a program after --: the signals' times are in the trace that 'growth -o' made.")
    }
    if let every, Self.span(every) == nil {
      throw ValidationError("--every takes a time such as 500ms, 10s or 2min, not '\(every)'.")
    }
  }

  private var isProgram: Bool { CommandLine.arguments.dropFirst(2).contains("--") }

  func run() throws {
    if !isProgram, let sentence = recording.unused(file) { Console.log(sentence) }
    try Failure.told {
      if !isProgram { try CheckSubject.refuseProgram(subject, verb: "growth") }
      try isProgram ? recordAndCompare() : compare(subject[0])
    }
  }

  private func recordAndCompare() throws {
    var options = recording.options(checking: false, file)
    let folder = options.output == nil ? try ScratchFolder() : nil
    if let folder { options.output = "\(folder.path)/%e.%p.lifeline" }
    defer { folder?.remove() }
    options.momentSignal = signal?.number
    let result = try Recorder(options: options).record(
      subject[0], arguments: ProgramArguments(lastOfOurs: subject.count))
    guard let trace = result.trace ?? result.descendants.first else {
      Console.log("nothing was recorded. \(result.reason ?? "")")
      throw ExitStatus.noVerdict
    }
    try compare(trace, moments: result.moments, isKept: folder == nil)
  }

  private func generations(_ trace: Trace, _ moments: [UInt64]) -> Generations {
    if signal != nil { return .at(moments.map(trace.recording.time(atMonotonic:))) }
    if let step = every.flatMap(Self.span) { return .every(step) }
    if let mark { return .marks { NamePattern(mark).matches($0) } }
    return Generations(trace) ?? .allMarks
  }

  /// With `isKept`, the trace was just recorded, and stays: it gets the generations for later.
  private func compare(_ path: String, moments: [UInt64] = [], isKept: Bool = false) throws {
    let trace = try Trace(opening: path)
    let names = Names(trace, files: symbols.files)
    let generations = generations(trace, moments)
    if isKept { do { try generations.append(to: path) } catch { Console.log("\(error)") } }
    let inspector = try GrowthInspector(trace, generations)
    let heap = try HeapSnapshotReader(trace).snapshot().keepingMainTask(symbol: names.symbol(at:))
      .namingObserved(names.observedProperties, superclasses: names.superclasses)
    let earlier = try EarlierHolders(inspector, trace, names: names)
    var report = GrowthReport(inspector, heap, names: names, earlier: earlier)
    let problems = trace.problems + inspector.problems
    for problem in problems { Console.log(problem) }
    let completeness = RecordingCompleteness(
      trace, events: inspector.events, problems: inspector.problems, needsBeginning: false)
    guard report.generations >= Growth.fewest else {
      if inspector.events == 0, let sentence = completeness.sentence {
        Console.log(sentence)
        throw ExitStatus.noVerdict
      }
      let how =
        if trace.baseLine != nil, let keep = trace.recording.keep {
          "The recording keeps only its latest part: use a larger --keep than \(keep.text), or shorter generations."
        } else if let mark {
          "Only marks that match '\(mark)' were counted."
        } else if let signal {
          "Send SIG\(signal.rawValue) to lifeline at the end of each round."
        } else if every != nil {
          "Let it run longer, or use a shorter time."
        } else {
          "Call Timeline.mark at the end of each round, or use --every or --signal."
        }
      let seen = report.generations == 1 ? "1 generation was" : "\(report.generations) generations were"
      Console.log("\(seen) seen; \(Growth.fewest) are needed to distinguish growth from a warm-up. \(how)")
      throw ExitStatus.noVerdict
    }
    if !report.entries.isEmpty {
      let sample = trace.recording.sample
      report.remark =
        sample > 1
        ? "One object in \(sample) was recorded (\(trace.sampleOption)): the numbers are those of the sample."
        : completeness.sentence
    }
    switch format {
    case .text: Console.printWrapped(report.text(isColored: Console.isColored(disabled: false)))
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      Console.print(String(decoding: try encoder.encode(report), as: UTF8.self) + "\n")
    }
    if !report.entries.isEmpty { throw ExitStatus.findings }
    if let sentence = completeness.sentence {
      Console.log("\(sentence) It is not known whether anything else grows.")
      throw ExitStatus.noVerdict
    }
  }
}
