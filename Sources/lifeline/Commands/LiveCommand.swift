import ArgumentParser
import Glibc
import LifelineLive
import LifelineRecording
import LifelineReporting
import LifelineTrace

struct LiveCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, prometheus }

  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Watches a recorded process while it runs: live objects, growth, findings.",
    usage: """
      lifeline live [options] PID
      lifeline live [options] TRACE
      lifeline live [options] -- PROGRAM [ARGUMENT ...]
      """,
    discussion: """
      Reads the trace as it grows, without affecting the process. On a terminal it shows classes, the oldest objects \
      and findings ('?' lists the keys); elsewhere it prints one line per second until the process ends. Exits with 0; \
      2 when the trace cannot be read, or was truncated or replaced; 3 when the process is not recorded; 127 when the \
      program could not be started.
      """)

  @OptionGroup var traceFile: TraceFileArguments
  @OptionGroup var choice: ChoiceArguments

  @OptionGroup var start: StartArguments
  @OptionGroup var rules: RuleArguments
  @OptionGroup var symbols: SymbolArguments

  @Option(help: "text, json (one document per second and line) or prometheus (needs --file or --once).")
  var format = Format.text

  @Flag(help: "Print the current state and exit.")
  var once = false

  @Option(help: "Seconds between lines, documents or files, at least 0.1.")
  var interval = 1.0

  @Option(help: "With --format prometheus: the file, replaced atomically each time.")
  var file: String?

  @Option(help: "With --format prometheus: number of classes with their own series; all others share one.")
  var series = 100

  @Argument(help: "A process ID, a trace, or a program and its arguments after --.")
  var subject: [String]

  private var isProgram: Bool { CommandLine.arguments.dropFirst(2).contains("--") }

  private var recording: RecordingArguments { RecordingArguments(choice, start) }

  func validate() throws {
    try recording.validate()
    if subject.isEmpty { throw ValidationError("Give a process, a trace, or a program after --.") }
    if !isProgram, subject.count > 1 {
      throw ValidationError("Name one process or trace, or put -- before a program and its arguments.")
    }
    if isProgram, once { throw ValidationError("--once needs a process or a trace, not a program.") }
    if !(0.1...86400).contains(interval) { throw ValidationError("--interval takes seconds from 0.1 to 86400.") }
    if !(1...10_000).contains(series) { throw ValidationError("--series takes a number from 1 to 10000.") }
    if file != nil, format != .prometheus { throw ValidationError("--file needs --format prometheus.") }
    if file == nil, format == .prometheus, !once {
      throw ValidationError("--format prometheus needs --file FILE, or --once.")
    }
  }

  func run() throws { try Failure.told(watch) }

  private var wantsTerminal: Bool {
    format == .text && !once && isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1
  }

  private func watch() throws {
    if !isProgram, let sentence = recording.unused(traceFile) { Console.log(sentence) }
    let rules = try rules.rules()
    var output = try LiveOutput(format, file: file, series: series, isForced: recording.force, isOnce: once)
    if !once { LiveSignals.note() }
    // The program's output would appear in the middle of the screen.
    let folder = isProgram && wantsTerminal ? try ScratchFolder() : nil
    let subject = try start(output: folder.map { "\($0.path)/output" })
    defer { if let run = subject.run { finish(run, subject.path, folder) } }
    let files = symbols.source(isSilent: wantsTerminal)
    let session = LiveSession(
      watch: try LiveWatch(path: subject.path, rules: rules, files: files), run: subject.run, rules: rules,
      files: files,
      interval: interval)
    if once {
      try session.once(&output)
    } else if wantsTerminal, let terminal = CursesScreen(isColored: Console.isColored(disabled: false)) {
      let failure = session.show(on: terminal)
      terminal.end()
      if let failure { throw failure }
    } else {
      try session.stream(&output)
    }
    if LiveSignals.last != 0 { throw ExitCode(128 + LiveSignals.last) }
    if session.watch.isDamaged { throw ExitStatus.toolFailure }
  }

  private func start(output: String?) throws -> LiveSubject {
    guard isProgram else {
      try CheckSubject.refuseProgram(subject, verb: "live")
      return try LiveSubject(subject[0])
    }
    var options = recording.options(checking: false, traceFile)
    options.quiet = true
    return try LiveSubject(
      program: subject[0], arguments: ProgramArguments(lastOfOurs: subject.count), options: options, output: output)
  }

  /// Ends the program, and reports the remaining state.
  private func finish(_ run: WatchedRun, _ trace: String, _ folder: ScratchFolder?) {
    run.end()
    if let folder {
      var status = stat()
      if stat("\(folder.path)/output", &status) == 0, status.st_size > 0 {
        Console.log("the program's output is in \(folder.path)/output")
      } else {
        folder.remove()
      }
    }
    Console.log("the trace is \(trace); next: \(ShellText(["lifeline", "report", trace]).text)")
  }
}
