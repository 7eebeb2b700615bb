import Glibc
import LifelineHeap
import LifelineTrace

/// Runs a program under the probe.
public struct Recorder {
  /// The result of a recording.
  public struct Result: Sendable {
    public let end: Recording.End
    public let process: Int
    /// The program's own trace; nil if none was written.
    public let trace: String?
    /// Traces of processes that it started, oldest first.
    public let descendants: [String]
    /// Traces of the processes that the run is about, oldest first: all except those that only served a build.
    public let subjects: [String]
    /// Why there is no trace, or nil.
    public let reason: String?
    /// What ended it early; nil if it ended by itself.
    public let interruption: Interruption?
    /// When the options' `momentSignal` came, in nanoseconds of the monotonic clock.
    public let moments: [UInt64]
  }

  public enum Interruption: Sendable {
    /// A signal to us, or one that only users send.
    case told
    /// The limit of a repetition.
    case limit
  }

  private let options: RecordingOptions

  public init(options: RecordingOptions) { self.options = options }

  /// Records one run of a program.
  ///
  /// `arguments` are all of the program's, including its name; nil means only its name.
  ///
  /// - Throws: `RecordingError` if the program was not started.
  public func record(_ program: String, arguments: ProgramArguments? = nil) throws -> Result {
    let examiner = HeapExaminer()
    let start = try RecordingStart(program, arguments: arguments, options: options, examinationSocket: examiner?.path)
    var process: pid_t = 0
    let ends = start.descendantEnds
    let outcome = try start.child.run(serving: examiner, noting: ends) { process = $0 }
    return start.result(
      end: outcome.end, others: ends, interruption: outcome.interruption, process: process,
      snapshots: examiner?.snapshots() ?? [:], moments: outcome.moments)
  }
}
