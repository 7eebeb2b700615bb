import CLifelineFormat
import SystemPackage

/// The file header's facts about a recording: its process, how it went, what it lost.
public struct Recording: Sendable, Equatable {
  /// How the process ended.
  public enum End: Sendable, Equatable {
    case unknown
    case exit(Int)
    case signal(Int)
    /// The process was replaced by another program (exec).
    case replaced
    /// The recording was ended; the process kept running.
    case detached
  }

  /// What the recorder was doing when the file was last written.
  public enum State: UInt32, Sendable {
    case recording = 1
    case ended = 2
    case stopped = 3
  }

  public let process: Int
  public let parent: Int
  public let session: UInt64
  public let state: State
  public let depth: RecordingDepth
  /// One in this many objects was recorded; 1 for all.
  public let sample: Int
  /// Whether each object was in the sample by chance, and not because of its address.
  public let isSampledByChance: Bool
  /// Number of the reason why the recorder stood down, 0 if it did not.
  public let stopReason: Int
  /// The `errno` because of which the ending process could not ask for the examination of its memory; 0 without one.
  public let examinationError: Int
  public let end: End
  /// Nanoseconds since 1970.
  public let startTime: UInt64
  /// Maximum frames of a backtrace.
  public let frames: Int
  public let threads: Int
  /// Points of an exploration that threads passed; 0 if there was none.
  public let points: Int
  public let hasZombies: Bool
  public let hasGuards: Bool
  /// Whether events know the serial dispatch queue whose code ran.
  public let knowsQueues: Bool
  public let recordsAllClasses: Bool
  public let isFiltered: Bool
  /// How much of the trace is kept; nil if all of it is.
  public let keep: KeepLimit?
  /// Nanoseconds that the process had run when the recording started; nil if it was recorded from the start.
  public let age: UInt64?
  /// Nonzero counters of loss and blindness, in the format's order.
  public let counters: [Counter]
  /// Nanoseconds from the start to the last clock reading that the recorder took.
  public let duration: UInt64

  /// The event clock at the start and the end of the recording, as far as the header shows; otherwise empty.
  public let clockSpan: Range<UInt64>

  let startClock: UInt64
  private let startMonotonic: UInt64
  let nanosecondsPerTick: Double

  /// One kind of loss.
  public struct Counter: Sendable, Equatable {
    public let name: String
    public let meaning: String
    public let value: UInt64
  }

  init(_ header: lifeline_file_header) {
    process = Int(header.process)
    parent = Int(header.parent)
    session = header.session
    state = State(rawValue: header.state) ?? .recording
    stopReason = Int(header.stop_reason)
    switch header.end {
    case 1: end = .exit(Int(header.end_value & 0xFF))
    case 2: end = .signal(Int(header.end_value & 0x7F))
    case 3: end = .replaced
    case 4: end = .detached
    default: end = .unknown
    }
    examinationError = Int(header.examine_error)
    startTime = header.start_realtime
    frames = Int(header.frames)
    threads = Int(header.threads)
    points = Int(header.points)
    hasZombies = header.flags & LIFELINE_FLAG_ZOMBIES != 0
    knowsQueues = header.flags & LIFELINE_FLAG_QUEUES != 0
    hasGuards = header.flags & LIFELINE_FLAG_GUARDS != 0
    recordsAllClasses = header.flags & LIFELINE_FLAG_ALL_CLASSES != 0
    isFiltered = header.flags & LIFELINE_FLAG_FILTERED != 0
    keep = header.flags & LIFELINE_FLAG_RING != 0 ? KeepLimit(size: header.keep_size, time: header.keep_time) : nil
    age = header.flags & LIFELINE_FLAG_ATTACHED != 0 ? UInt64(header.age) * 100_000_000 : nil
    depth = header.flags & LIFELINE_FLAG_LIVES != 0 ? .lives : .full
    sample = max(1, Int(header.sample))
    isSampledByChance = header.flags & LIFELINE_FLAG_CHANCE != 0
    startClock = header.start_clock
    startMonotonic = header.start_monotonic
    let first = max(header.start_clock, header.flags & LIFELINE_FLAG_RING != 0 ? header.horizon : 0)
    clockSpan = first..<max(first, header.end_clock)
    duration = header.end_monotonic >= header.start_monotonic ? header.end_monotonic - header.start_monotonic : 0
    let ticks = header.end_clock > header.start_clock ? header.end_clock - header.start_clock : 0
    // A clock pair that is too close together is useless; assume 1 GHz rather than divide by it.
    nanosecondsPerTick = ticks > 1000 && duration > 0 ? Double(duration) / Double(ticks) : 1
    counters = withUnsafeBytes(of: header.counters) { bytes in
      let values = bytes.bindMemory(to: UInt64.self)
      return values.indices.compactMap { index in
        guard values[index] != 0, let name = lifeline_counter_name(UInt32(index)) else { return nil }
        return Counter(
          name: String(cString: name), meaning: String(cString: lifeline_counter_sentence(UInt32(index))),
          value: values[index])
      }
    }
  }

  /// Nanoseconds since the start of the recording for a reading of the event clock.
  public func nanoseconds(at clock: UInt64) -> UInt64 {
    guard clock > startClock else { return 0 }
    let value = Double(clock - startClock) * nanosecondsPerTick
    return value < 1e18 ? UInt64(value) : UInt64(1e18)
  }

  /// Nanoseconds since the start of the recording for a reading of the monotonic clock on the same machine.
  public func time(atMonotonic moment: UInt64) -> UInt64 { moment - min(moment, startMonotonic) }

  /// Whether the recorder ended the program at a finding, as requested.
  public var isStoppedByFinding: Bool { stopReason == Int(LIFELINE_STOP_stoppedByFinding.rawValue) }

  /// Why the recorder stood down, or nil.
  public var stopSentence: String? {
    guard stopReason != 0, let text = lifeline_stop_sentence(UInt32(stopReason)) else { return nil }
    return String(cString: text)
  }
}

extension Recording {
  /// Reads only a trace's header.
  ///
  /// - Throws: `TraceError` if the file is not a trace of this version.
  public static func read(path: String) throws -> Recording { try Recording(Trace.readHeader(TraceFile(path: path))) }
}

extension Recording {
  /// Whether a file begins like a trace, of any version.
  public static func isTrace(path: String) -> Bool {
    guard
      let descriptor = try? FileDescriptor.open(
        FilePath(path), .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
    else {
      return false
    }
    defer { try? descriptor.close() }
    return withUnsafeTemporaryAllocation(byteCount: LIFELINE_MAGIC.utf8.count, alignment: 1) { bytes in
      (try? descriptor.read(into: bytes)) == bytes.count && bytes.elementsEqual(LIFELINE_MAGIC.utf8)
    }
  }
}
