import ArgumentParser
import Glibc
import LifelineAnalysis
import LifelineCompaction
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
      fail. If any finding may be accepted, the program keeps running after a use after free; pass
      --on-use-after-free stop to prevent that.
      """)

  @OptionGroup var recording: RecordingArguments
  @OptionGroup var report: ReportArguments
  @OptionGroup var gate: GateArguments

  @Option(name: .customLong("report"), help: "File for the report (default: standard output).")
  var reportFile: String?

  @Option(name: .customLong("also"), help: "FORMAT=FILE: the report in another format too (repeatable).")
  var otherReports: [ReportFile] = []

  @Argument(help: "A trace, or -- and a program with its arguments.")
  var subject: [String]

  func validate() throws {
    if subject.isEmpty { throw ValidationError("Name a trace, or a program after --.") }
    if !isProgram, subject.count > 1 { throw ValidationError("Name one trace, or put -- before a program and its arguments.") }
  }

  /// A program is what stands after `--`.
  private var isProgram: Bool { CommandLine.arguments.dropFirst(2).contains("--") }

  func run() throws {
    do {
      // The gate's files first: a mistake in them must not surface after a long run.
      let reportGate = try ReportGate(policy: gate.policy(), contracts: gate.contracts(), rules: report.rules.rules())
      try isProgram ? checkProgram(reportGate) : check([subject[0]], reportGate, end: nil)
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

  private func checkProgram(_ reportGate: ReportGate) throws {
    var options = recording.options(checking: true)
    options.continuesByDefault = gate.acceptsFindings
    var folder: String?
    if options.output == nil {
      var template = Array("/tmp/lifeline-check-XXXXXX\0".utf8CString)
      guard let made = mkdtemp(&template) else { throw TraceError("No temporary folder could be made in /tmp.") }
      folder = String(cString: made)
      // A fresh folder of mode 0700: no name in it can be guessed beforehand.
      options.output = "\(folder!)/%e.%p.lifeline"
    }
    defer { if let folder { TemporaryFolder(path: folder).remove() } }
    let result = try Recorder(options: options).record(
      subject[0], arguments: ProgramArguments(lastOfOurs: subject.count))
    // `swift test` starts the program that is meant, perhaps several times.
    let traces = result.trace.map { [$0] } ?? result.descendants
    guard !traces.isEmpty else {
      Console.print("Verdict: no verdict: \(result.reason ?? "no trace was written.")\n")
      throw ExitStatus.noVerdict
    }
    try check(traces, reportGate, end: result.end)
  }

  /// Checks what was recorded of one or several processes; the worst decides, and its report is given.
  private func check(_ traces: [String], _ reportGate: ReportGate, end: Recording.End?) throws {
    let isColored = reportFile == nil && Console.isColored(disabled: report.noColor)
    var reportGate = reportGate
    var worst: (verdict: GateVerdict, rank: Int, rendering: ReportRendering)?
    for path in traces {
      let trace = try Trace(opening: path)
      var verdict = GateVerdict.none("")
      var hasObjects = true
      let rendering = try ReportRendering(trace, report) { report, diagnosis, names in
        if gate.updateBaseline { reportGate.policy.baseline = updatedBaseline(reportGate.policy, report, diagnosis, isFirst: worst == nil) }
        verdict = try reportGate.judge(&report, diagnosis, trace, names)
        hasObjects = diagnosis.summary.events > 0
      }
      let rank = Self.rank(verdict, hasObjects: hasObjects)
      if rank > worst?.rank ?? -1 { worst = (verdict, rank, rendering) }
    }
    if traces.count > 1 { Console.log("\(traces.count) processes were recorded; the report is of the one with the worst verdict.") }
    if gate.updateBaseline { try writeBaseline(reportGate.policy) }
    guard let worst else { return }
    for other in otherReports {
      try OutputFile(path: other.path, replaces: recording.force).write(worst.rendering.text(other.format))
    }
    let text = try worst.rendering.text(report.format, isColored: isColored)
    if let reportFile {
      try OutputFile(path: reportFile, replaces: recording.force).write(text)
    } else {
      Console.print(text)
    }
    switch worst.verdict {
    case .findings: throw ExitStatus.findings
    case .none: throw ExitStatus.noVerdict
    case .clean: if let end { throw ExitStatus.of(end) }
    }
  }

  /// Of several processes, one that has no objects of the program's says nothing: a test runner without such tests.
  private static func rank(_ verdict: GateVerdict, hasObjects: Bool) -> Int {
    switch verdict {
    case .findings: 3
    case .none: hasObjects ? 2 : 0
    case .clean: 1
    }
  }

  /// What another process of this run found already stays.
  private func updatedBaseline(_ policy: GatePolicy, _ report: Report, _ diagnosis: Diagnosis, isFirst: Bool) -> Baseline {
    policy.updatedBaseline(report.findings.map(GateFinding.init), isComplete: diagnosis.obstacle == nil && isFirst)
  }

  private func writeBaseline(_ policy: GatePolicy) throws {
    guard let path = gate.baseline, let baseline = policy.baseline else { return }
    try OutputFile(path: path, replaces: true).write(baseline.text)
    let count = baseline.entries.count
    Console.log("wrote \(count) \(count == 1 ? "finding" : "findings") to the baseline \(path)")
  }
}
