import ArgumentParser
import LifelineGate
import LifelineRecording
import LifelineReporting
import LifelineTrace

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks a run for lifetime errors, for continuous integration.",
    usage: "lifeline check [options] TRACE\n       lifeline check [options] -- PROGRAM [ARGUMENT ...]",
    discussion: """
      Exits 0 when clean, 1 with findings, 2 when the tool failed, 3 without a verdict; otherwise, with no \
      finding, with the program's own status. The report goes to standard output after the program's own \
      output, or to the file that --report names. A finding that is suppressed, or known in the baseline, does not \
      fail. If any finding may be accepted, the program keeps running after a use after free; pass \
      --on-use-after-free stop to prevent that. All processes of the run take part; of 'swift test' and 'swift run', \
      the tests or the program, and what they start.
      """)

  @OptionGroup var recording: RecordingArguments
  @OptionGroup var report: ReportArguments
  @OptionGroup var gate: GateArguments

  @OptionGroup var output: OutputArguments

  @Argument(help: "A trace, or -- and a program with its arguments.")
  var subject: [String]

  func validate() throws {
    if subject.isEmpty { throw ValidationError("Name a trace, or a program after --.") }
    if updatesBaselineElsewhere { throw ValidationError("--update-baseline and --also name the same file.") }
  }

  private var updatesBaselineElsewhere: Bool { gate.updateBaseline && output.names(gate.baseline) }

  func run() throws {
    do {
      // The gate's files and the outputs first: a mistake in them must not surface after a long run.
      let gate = try RunGate(policy: self.gate.policy(), updatesBaseline: self.gate.updateBaseline)
      let contracts = try self.gate.contracts()
      let rules = try report.rules.rules()
      try output.examine(report, replacing: recording.force)
      let recorded = try CheckSubject(subject).record(options)
      defer { recorded.remove() }
      guard !recorded.traces.isEmpty else {
        Console.print("Verdict: no verdict: \(recorded.reason ?? "no trace was written.")\n")
        throw ExitStatus.noVerdict
      }
      let processes = try recorded.traces.map { try ExaminedProcess(path: $0, contracts: contracts, rules: rules, arguments: report) }
      let run = ExaminedRun(processes, started: recorded.started)
      try finish(gate.judge(run), end: recorded.end)
    } catch let error as TraceError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    } catch let error as GateError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    } catch let error as RecordingError {
      Console.log(error.description)
      throw error.couldNotStart ? ExitStatus.couldNotStart : ExitStatus.toolFailure
    }
  }

  private var options: RecordingOptions {
    var options = recording.options(checking: true)
    options.continuesByDefault = gate.acceptsFindings
    return options
  }

  /// Writes the reports and ends with the verdict's status.
  private func finish(_ judgment: RunGate.Judgment, end: Recording.End?) throws {
    if gate.updateBaseline { try writeBaseline(judgment.baseline) }
    try output.write(judgment.report, report, replacing: recording.force)
    switch judgment.verdict {
    case .findings: throw ExitStatus.findings
    case .none: throw ExitStatus.noVerdict
    case .clean: if let end { throw ExitStatus.of(end) }
    }
  }

  private func writeBaseline(_ baseline: Baseline?) throws {
    guard let path = gate.baseline, let baseline else { return }
    try OutputFile(path: path, replaces: true).write(baseline.text)
    let count = baseline.entries.count
    Console.log("wrote \(count) \(count == 1 ? "finding" : "findings") to the baseline \(path)")
  }
}
