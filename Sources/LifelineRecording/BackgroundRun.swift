import Glibc
import LifelineTrace

/// A run under the probe in parallel with others: its output goes to a file, it has a time limit, and the caller polls
/// for its end.
///
/// Its memory is not examined when it ends, so leaks are unknown.
public struct BackgroundRun {
  private let start: RecordingStart
  private let process: pid_t
  private let deadline: Double
  /// Whether it was ended at its time limit.
  public private(set) var wasStopped = false

  /// Starts it. `options` name the output, `output` is a new file for the program's output, `limit` is in seconds, and
  /// `mask` has the signals that are blocked when the program begins.
  ///
  /// - Throws: `RecordingError` if the program cannot be started.
  public init(
    _ program: String, arguments: ProgramArguments, options: RecordingOptions, output: String, limit: Double,
    mask: sigset_t
  ) throws {
    start = try RecordingStart(program, arguments: arguments, options: options, examinationSocket: nil)
    process = try start.child.spawn(mask: mask, output: output)
    deadline = MonotonicClock.seconds + limit
  }

  /// How it ended; nil while it runs. At its limit it is ended with everything it started.
  public mutating func result() -> Recorder.Result? {
    var status: Int32 = 0
    let ended = waitpid(process, &status, WNOHANG)
    guard ended == process || ended < 0 && errno == ECHILD else {
      if !wasStopped, MonotonicClock.seconds > deadline {
        wasStopped = true
        stop()
      }
      return nil
    }
    // Processes that it started and did not wait for would keep running.
    stop()
    // How it would have ended is unknown, because our signal ended it.
    let isOwnEnd = ended == process && !wasStopped
    return start.result(end: isOwnEnd ? ChildProcess.end(status) : .unknown, process: process, snapshots: [:])
  }

  /// Ends it with everything it started.
  public func stop() { kill(-process, SIGKILL) }
}
