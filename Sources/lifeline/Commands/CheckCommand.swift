import ArgumentParser
import LifelineGate
import LifelineRecording
import LifelineReporting
import LifelineTrace

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks a run for lifetime errors, for continuous integration.",
    usage: "lifeline check [options] TRACE\nlifeline check [options] -- PROGRAM [ARGUMENT ...]",
    discussion: """
      Exits with 0 when clean, 1 with findings, 2 when the tool failed, 3 without a verdict, 127 when the program \
      could not be started; otherwise, without findings, with the program's own status. The report is printed to \
      standard output after the program's own output, or written to the file given with --report. A finding that is \
      suppressed, or in the baseline, does not fail. If any finding may be accepted, the program keeps running after \
      a use after free; pass --on-use-after-free stop to prevent that. All processes of the run are checked; with \
      'swift test' and 'swift run', the tests or the program, and the processes they start.
      """)

  @OptionGroup var file: TraceFileArguments
  @OptionGroup var choice: ChoiceArguments
  @OptionGroup var start: StartArguments

  @Flag(
    help: """
      Run at depth lives and, if there is something to explain, again at full depth for the classes that matter. \
      This is the default for a program, unless an option says how much to record or its input is a pipe, which \
      cannot be read twice: then it runs once, at full depth.
      """)
  var twoSteps = false

  @Flag(help: "Run once, at depth lives unless --depth is given; findings are not explained by a second run.")
  var once = false

  @OptionGroup var report: ReportArguments
  @OptionGroup var rules: RuleArguments
  @OptionGroup var symbols: SymbolArguments
  @OptionGroup var gate: GateArguments

  @Flag(help: "Write the findings to the baseline file, creating it if necessary.")
  var updateBaseline = false

  @OptionGroup var output: OutputArguments

  @Argument(help: "A trace, or a program and its arguments after --.")
  var subject: [String]

  private var recording: RecordingArguments { RecordingArguments(choice, start) }

  func validate() throws {
    try recording.validate()
    if subject.isEmpty { throw ValidationError("Give a trace, or a program after --.") }
    if twoSteps, let subject = try? CheckSubject(subject), !subject.isProgram {
      throw ValidationError("--two-steps needs a program, not a trace.")
    }
    if twoSteps, once { throw ValidationError("--two-steps and --once cannot be combined.") }
    if twoSteps, start.maxOverhead != nil {
      throw ValidationError("--two-steps needs all objects; remove --max-overhead.")
    }
    if twoSteps, start.keep != nil {
      throw ValidationError("--two-steps needs all events; remove --keep.")
    }
    if twoSteps, choice.sample != nil {
      throw ValidationError("--two-steps needs all objects; remove --sample.")
    }
    if twoSteps, choice.depth != nil || !choice.retained.isEmpty {
      throw ValidationError("--two-steps chooses depths and classes itself; remove --depth and --retains.")
    }
    if updateBaseline, gate.baseline == nil { throw ValidationError("--update-baseline needs --baseline FILE.") }
    if updatesBaselineElsewhere { throw ValidationError("--update-baseline and --also name the same file.") }
  }

  private var updatesBaselineElsewhere: Bool { updateBaseline && output.names(gate.baseline) }

  func run() throws {
    try Failure.told {
      // The gate's files and the outputs come first, because a mistake in them must not surface after a long run.
      let gate = try RunGate(
        policy: self.gate.policy(updatesBaseline: updateBaseline), updatesBaseline: updateBaseline)
      let contracts = try self.gate.contracts()
      let examination = Examination(
        contracts: contracts, rules: try rules.rules(), arguments: report, symbols: symbols)
      try output.examine(report, replacing: recording.force, besides: subject)
      let checked = try self.checked(gate, examination)
      guard let run = checked.examined else {
        let reason = checked.reason ?? "no trace was written."
        try output.write(
          Report(unrecorded: subject, end: checked.end, reason: reason), report, replacing: recording.force)
        throw ExitStatus.noVerdict
      }
      try finish(gate.judge(run), end: checked.end)
    }
  }

  private func checked(_ gate: RunGate, _ examination: Examination) throws -> CheckedRun {
    let subject = try CheckSubject(self.subject)
    if twoSteps || subject.isProgram && !once && !recording.saysHowMuch && StandardInput().obstacle == nil {
      return try TwoStepCheck(subject: subject, options: options, gate: gate, examination: examination).run()
    }
    if !subject.isProgram, let sentence = recording.unused(file, once: once) {
      Console.log(sentence + (file.output == nil ? "" : " Use --report to name a file for the report."))
    }
    let recorded = try subject.record(options)
    defer { recorded.remove() }
    if subject.isProgram, !recorded.traces.isEmpty {
      UnmatchedPatterns(options, traces: recorded.traces).sentences.forEach(Console.log)
    }
    var run = recorded.traces.isEmpty ? nil : try examination.examine(recorded)
    if !subject.isProgram, recorded.end == nil, run?.report.program.hasUnknownEnd == true {
      run = run?.blinded(Report.unknownEnd)
    }
    return CheckedRun(examined: run, end: recorded.end, reason: recorded.reason)
  }

  private var options: RecordingOptions {
    var options = recording.options(checking: true, file)
    if once, options.depth == nil { options.depth = .lives }
    options.continuesByDefault = gate.acceptsFindings
    return options
  }

  /// Writes the reports and ends with the verdict's status.
  private func finish(_ judgment: RunGate.Judgment, end: Recording.End?) throws {
    if updateBaseline { try writeBaseline(judgment.baseline) }
    try output.write(judgment.report, report, replacing: recording.force)
    try ExitStatus.end(with: judgment.verdict, of: end)
  }

  private func writeBaseline(_ baseline: Baseline?) throws {
    guard let path = gate.baseline, let baseline else { return }
    try OutputFile(path: path, replaces: true).write(baseline.text)
    let count = baseline.entries.count
    Console.log("wrote \(count) \(count == 1 ? "finding" : "findings") to the baseline \(path)")
  }
}
