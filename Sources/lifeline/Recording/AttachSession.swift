import ArgumentParser
import Glibc
import LifelineRecording
import LifelineTrace

/// The recording of a running process, from its start to its end.
struct AttachSession {
  let recording: RecordingArguments
  let file: TraceFileArguments
  let process: Int
  /// Nanoseconds after which it ends; nil: at `lifeline detach` or Ctrl-C.
  var duration: UInt64?
  /// Whether to wait until it ends; the default on a terminal, where Ctrl-C ends it.
  var waits: Bool?

  init(
    _ recording: RecordingArguments, _ file: TraceFileArguments, process: Int, duration: UInt64? = nil,
    waits: Bool? = nil
  ) {
    (self.recording, self.file, self.process) = (recording, file, process)
    (self.duration, self.waits) = (duration, waits)
  }

  /// - Throws: `ExitCode` if there is no recording.
  func run() throws {
    LiveSignals.note()
    let options = recording.options(checking: false, file)
    let attachment = try Self.reporting { try Attachment.begin(process, options: options) }
    let trace = RecordedTrace(path: attachment.trace)
    let stays = waits ?? (duration != nil || isatty(STDERR_FILENO) == 1 && isatty(STDIN_FILENO) == 1)
    if !recording.quiet {
      Console.log(
        "recording process \(process) into \(trace.name); "
          + "\(stays && duration == nil ? "Ctrl-C" : "'lifeline detach \(process)'") ends it"
      )
    }
    guard stays else { return }
    let end = duration.map { MonotonicClock.nanoseconds + $0 } ?? .max
    while LiveSignals.last == 0, MonotonicClock.nanoseconds < end, attachment.isRecording { usleep(50_000) }
    let header = try? Recording.read(path: attachment.trace)
    if attachment.isRunning, header?.end != .detached {
      try Self.reporting { _ = try Attachment.end(process) }
    } else if header?.end != .detached {
      attachment.complete()
    }
    if !recording.quiet { trace.summarize() }
    if let sentence = header?.stopSentence {
      Console.log("the recording stopped early: \(sentence)")
      throw ExitStatus.toolFailure
    }
  }

  /// Reports an error, and ends with its status.
  static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as AttachError {
      Console.log(error.description)
      throw error.isNotSwift ? ExitStatus.noVerdict : ExitStatus.toolFailure
    } catch let error as RecordingError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    }
  }
}
