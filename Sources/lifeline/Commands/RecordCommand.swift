import ArgumentParser
import Glibc
import LifelineRecording
import LifelineTrace

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Runs a program and records the lifetimes of its objects.",
    discussion: """
      Exits with the program's own status, 128 + signal number when a signal ended it, 2 when it was not started \
      because no trace can be written, 127 when it could not be started; with --pid like 'attach'.
      """
  )

  @OptionGroup var file: TraceFileArguments
  @OptionGroup var choice: ChoiceArguments

  @OptionGroup var start: StartArguments

  @Option(help: "Record this running process instead of a program, like 'lifeline attach'.")
  var pid: Int?

  @Option(help: "Record nothing until the program gets this signal, USR1 or USR2; the next one ends the recording.")
  var toggle: MomentSignal?

  @Argument(help: "The program.")
  var program: String?

  @Argument(parsing: .captureForPassthrough, help: "Its arguments.")
  var arguments: [String] = []

  private var recording: RecordingArguments { RecordingArguments(choice, start) }

  func validate() throws {
    try recording.validate()
    if program == nil, pid == nil { throw ValidationError("Give a program, or a running process with --pid.") }
    if let program, pid != nil { throw ValidationError("Give a program ('\(program)') or --pid, not both.") }
    if toggle != nil, pid != nil { throw ValidationError("--toggle is for programs that 'record' starts.") }
    if pid != nil || toggle != nil { try start.refuse() }
  }

  func run() throws {
    guard let program else { return try AttachSession(recording, file, process: pid!).run() }
    try Failure.told { try record(program) }
  }

  private func record(_ program: String) throws {
    var options = recording.options(checking: false, file)
    options.toggle = toggle?.rawValue
    let result = try Recorder(options: options).record(
      program, arguments: ProgramArguments(lastOfOurs: arguments.count + 1))
    if let path = result.trace {
      if !recording.quiet { RecordedTrace(path: path).summarize() }
    } else if result.descendants.isEmpty {
      Console.log("nothing was recorded. \(result.reason ?? "")")
    }
    for other in result.descendants where !recording.quiet {
      let trace = RecordedTrace(path: other)
      let what =
        trace.process != result.process
        ? "a process that it started"
        : toggle == nil ? "the process before it ran another program" : "earlier"
      Console.log("also recorded \(what): \(trace.name)")
    }
    if !recording.quiet, result.trace != nil {
      UnmatchedPatterns(options, traces: result.subjects).sentences.forEach(Console.log)
    }
    throw ExitStatus.of(result.end)
  }
}
