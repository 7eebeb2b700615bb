import ArgumentParser
import LifelineRecording

struct DetachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Stops a recording started by 'attach'.",
    discussion: """
      The runtime's original code is restored, and the process keeps running. Exits with 0; 2 when it is not permitted \
      or not possible, or when the process is not being recorded by 'attach'; 3 when it is not a Swift program.
      """)

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @Argument(help: "The process ID.")
  var process: Int

  func run() throws {
    let ended = try AttachSession.reporting { try Attachment.end(process) }
    if !quiet, !ended.trace.isEmpty { RecordedTrace(path: ended.trace).summarize() }
  }
}
