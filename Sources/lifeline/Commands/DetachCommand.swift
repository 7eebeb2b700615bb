import ArgumentParser
import LifelineRecording

struct DetachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Ends the recording of a running process that 'attach' began.",
    discussion: """
      The runtime's functions get their own code back, and the process goes on. Exits 0; 2 when it is not permitted or \
      not possible, also for a process that nobody attached to; 3 when the process is no Swift program.
      """)

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @Argument(help: "The process's number.")
  var process: Int

  func run() throws {
    let ended = try AttachSession.reporting { try Attachment.end(process) }
    if !quiet, !ended.trace.isEmpty { RecordedTrace(path: ended.trace).summarize() }
  }
}
