import ArgumentParser
import Glibc
import LifelineAnalysis
import LifelineRecording
import LifelineTrace

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says whether a run was clean: for continuous integration.",
    usage: "lifeline check [options] TRACE\n       lifeline check [options] -- PROGRAM [ARGUMENT ...]",
    discussion: """
      Exits 0 when clean, 1 with findings, 2 when the tool failed, 3 without a verdict; otherwise, with no \
      finding, with the program's own status. The report goes to standard output after the program's own \
      output, or to the file that --report names.
      """)

  @OptionGroup var recording: RecordingArguments
  @OptionGroup var report: ReportArguments

  @Option(name: .customLong("report"), help: "File for the report (default: standard output).")
  var reportFile: String?

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
      try isProgram ? checkProgram() : checkTrace(subject[0], end: nil)
    } catch let error as TraceError {
      Console.say(error.description)
      throw ExitStatus.toolFailure
    } catch let error as RecordingError {
      Console.say(error.description)
      throw error.couldNotStart ? ExitStatus.couldNotStart : ExitStatus.toolFailure
    }
  }

  private func checkProgram() throws {
    var options = recording.options(checking: true)
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
    guard let trace = result.trace else {
      Console.answer("Verdict: no verdict: \(result.reason ?? "no trace was written.")\n")
      throw ExitStatus.noVerdict
    }
    try checkTrace(trace, end: result.end)
  }

  private func checkTrace(_ path: String, end: Recording.End?) throws {
    let isColored = reportFile == nil && Console.isColored(disabled: report.noColor)
    let rendering = try ReportRendering(Trace(path: path), report, isColored: isColored)
    if let reportFile {
      try OutputFile(path: reportFile, replaces: recording.force).write(rendering.text)
    } else {
      Console.answer(rendering.text)
    }
    switch rendering.diagnosis.verdict {
    case .findings: throw ExitStatus.findings
    case .none: throw ExitStatus.noVerdict
    case .clean: if let end { throw ExitStatus.of(end) }
    }
  }
}
