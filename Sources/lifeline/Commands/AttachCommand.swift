import ArgumentParser

struct AttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Begins to record a running process.",
    discussion: """
      The process was not started for it and goes on meanwhile. On a terminal, or with --duration, it is recorded \
      until Ctrl-C, until the time is over or the process ends; otherwise until 'lifeline detach'. Exits 0; 2 when it \
      is not permitted or not possible; 3 when the process is no Swift program.
      """)

  @OptionGroup var file: TraceFileArguments
  @OptionGroup var choice: ChoiceArguments
  // They are known, and refused with the reason.
  @OptionGroup(visibility: .hidden) var start: StartArguments

  @Option(help: "End after this time: '500ms', '30s', '10min'.")
  var duration: String?

  @Flag(
    inversion: .prefixedNo, help: "Stay until the recording ends (default on a terminal), or return once it has begun.")
  var wait: Bool?

  @Argument(help: "The process's number.")
  var process: Int

  private var nanoseconds: UInt64? { duration.flatMap(GrowthCommand.span) }

  func validate() throws {
    if let duration, nanoseconds == nil {
      throw ValidationError("--duration takes a time such as 500ms, 30s or 10min, not '\(duration)'.")
    }
    if duration != nil, wait == false {
      throw ValidationError("--duration needs somebody who waits; leave out --no-wait.")
    }
    try start.refuse()
  }

  func run() throws {
    try AttachSession(
      RecordingArguments(choice, start), file, process: process, duration: nanoseconds, waits: wait
    ).run()
  }
}
