import ArgumentParser
import Glibc
import LifelineRecording
import LifelineTrace

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Runs a program and records the lifetimes of its objects.",
    discussion:
      "Exits with the program's own status, 128 + signal number when it died of one, 127 when it could not be started.")

  @OptionGroup var recording: RecordingArguments

  @Argument(help: "The program.")
  var program: String

  @Argument(parsing: .captureForPassthrough, help: "Its arguments.")
  var arguments: [String] = []

  func run() throws {
    let result: Recorder.Result
    do {
      result = try Recorder(options: recording.options(checking: false)).record(
        program, arguments: ProgramArguments(lastOfOurs: arguments.count + 1))
    } catch let error as RecordingError {
      Console.log(error.description)
      throw error.couldNotStart ? ExitStatus.couldNotStart : ExitStatus.toolFailure
    }
    if let path = result.trace {
      if !recording.quiet { summarize(path) }
    } else if result.descendants.isEmpty {
      Console.log("nothing was recorded. \(result.reason ?? "")")
    }
    for other in result.descendants where !recording.quiet {
      Console.log("a process that it started was recorded too: \(shortened(other))")
    }
    throw ExitStatus.of(result.end)
  }

  private func summarize(_ path: String) {
    do {
      var status = stat()
      stat(path, &status)
      let trace = try Trace(path: path)
      let name = shortened(path)
      let size = "(\(status.st_blocks * 512 / 1000) kB)"
      Console.log("\(try contents(of: trace)) in \(name) \(size); next: lifeline report \(name)")
    } catch {
      Console.log("\(error)")
    }
  }

  /// "37 events of 3 objects"; of a long trace the events alone, since counting objects would take too long.
  private func contents(of trace: Trace) throws -> String {
    guard trace.completedEvents < 5_000_000 else { return "\(trace.completedEvents) events" }
    let reader = trace.events()
    var event = Event()
    var objects = 0
    while try reader.next(&event) { if event.kind == .allocate { objects += 1 } }
    return "\(reader.sequence) events of \(objects) objects"
  }

  /// The path relative to the working directory, when it lies there.
  private func shortened(_ path: String) -> String {
    let prefix = WorkingFolder.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
