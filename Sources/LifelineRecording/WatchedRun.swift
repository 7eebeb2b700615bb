import Glibc
import LifelineTrace

/// A program that is recorded while its trace is watched.
public final class WatchedRun {
  private let start: RecordingStart
  public let process: pid_t
  /// Whether it has its own process group, and a file for its output.
  private let isApart: Bool
  private var finished: Recorder.Result?
  private let examiner = HeapExaminer()

  /// Starts it. With a new file `output` for its output it reads nothing; without one it has our standard input and
  /// prints to our standard error.
  ///
  /// - Throws: `RecordingError` if the program cannot be started.
  public init(_ program: String, arguments: ProgramArguments, options: RecordingOptions, output: String?) throws {
    var start = try RecordingStart(
      program, arguments: arguments, options: options, examinationSocket: examiner?.path)
    start.child.printsToErrors = output == nil
    self.start = start
    isApart = output != nil
    // If it is ignored, as when we were started, no status of the child would be kept.
    signal(SIGCHLD, SIG_DFL)
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    process = try start.child.spawn(mask: mask, output: output)
  }

  /// Its trace, once there is one.
  public var trace: String? { start.trace(of: process) }

  /// How it ended; nil while it runs. Then its traces are complete. Must be called often, and from one thread: a
  /// process that ends waits here until its memory has been examined.
  public func result() -> Recorder.Result? {
    if let finished { return finished }
    examiner?.serveWaiting()
    var status: Int32 = 0
    let ended = waitpid(process, &status, WNOHANG)
    guard ended == process || ended < 0 && errno == ECHILD else { return nil }
    finished = start.result(
      end: ended == process ? ChildProcess.end(status) : .unknown, process: process,
      snapshots: examiner?.snapshots() ?? [:])
    return finished
  }

  /// Asks it to end, or ends it, with everything it started if it is in its own group.
  public func stop(_ signal: Int32) { if finished == nil { kill(isApart ? -process : process, signal) } }
}
