import CLifelineFormat
import Glibc
import LifelineTrace

/// Reads the heap stored in a trace.
public struct HeapSnapshotReader {
  private let trace: Trace

  public init(_ trace: Trace) { self.trace = trace }

  /// The snapshot, or one that says why there is none: nothing was examined, or the stored bytes are damaged.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func snapshot() throws -> HeapSnapshot {
    let process = trace.recording.process
    let records = try trace.records(ofKind: LIFELINE_RECORD_heap.rawValue)
    guard !records.isEmpty else {
      let isWhole = trace.problems.isEmpty
      return HeapSnapshot(
        process: process, refusal: isWhole ? Self.absence(trace.recording) : "the trace is damaged or truncated")
    }
    var bytes: [UInt8] = []
    for (number, record) in records.enumerated() {
      guard record.count >= 12, Self.word(record, 0) == UInt32(number), Self.word(record, 4) == UInt32(records.count),
        case let length = Int(Self.word(record, 8)), length <= record.count - 12
      else { return damaged }
      bytes += record[12..<12 + length]
    }
    return HeapSnapshotEncoding.snapshot(bytes) ?? damaged
  }

  private var damaged: HeapSnapshot {
    HeapSnapshot(process: trace.recording.process, refusal: "the heap data in the trace is damaged")
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  /// Why a process was not examined, as far as its trace shows.
  public static func absence(_ recording: Recording) -> String {
    switch recording.end {
    case .signal(let number):
      "the program was ended by \(SignalName.of(number)), and only programs that exit can be examined"
    case .detached: "the recording ended before the program did"
    case .replaced: "another program replaced it (exec)"
    default:
      switch recording.state {
      case .stopped: "the recording stopped before the program ended"
      case .recording:
        "the program did not end by exit: it was killed, called _exit, ran another program in its "
          + "place, or is still running"
      case .ended where recording.age != nil:
        "the memory of a process whose recording began later is not examined when it ends ('lifeline leaks PID' does)"
      case _ where recording.examinationError != 0:
        "the program could not reach lifeline when it ended "
          + "(\(String(cString: strerror(Int32(clamping: recording.examinationError)))))"
      default: "the program's memory was not examined when it ended, as when it calls _exit"
      }
    }
  }
}
