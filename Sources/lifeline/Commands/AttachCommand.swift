import ArgumentParser

struct AttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Starts recording a running process.",
    discussion: """
      The process needs no preparation and keeps running. On a terminal, or with --duration, recording stops at \
      Ctrl-C, after that time, or when the process ends; otherwise at 'lifeline detach'. Exits with 0; 2 when it is \
      not permitted or not possible; 3 when the process is not a Swift program.
      """)

  @OptionGroup var file: TraceFileArguments
  @OptionGroup var choice: ChoiceArguments
  // Recognized, but rejected with the reason.
  @OptionGroup(visibility: .hidden) var start: StartArguments

  @Option(help: "Stop after this time: '500ms', '30s', '10min'.")
  var duration: String?

  @Flag(
    inversion: .prefixedNo, help: "Wait until the recording ends (default on a terminal) or return when it has begun.")
  var wait: Bool?

  @Argument(help: "The process ID.")
  var process: Int

  private var nanoseconds: UInt64? { duration.flatMap(GrowthCommand.span) }

  func validate() throws {
    if let duration, nanoseconds == nil {
      throw ValidationError("--duration takes a time such as 500ms, 30s or 10min, not '\(duration)'.")
    }
    if duration != nil, wait == false {
      throw ValidationError("--duration and --no-wait cannot be combined.")
    }
    try start.refuse()
  }

  func run() throws {
    try AttachSession(
      RecordingArguments(choice, start), file, process: process, duration: nanoseconds, waits: wait
    ).run()
  }
}
