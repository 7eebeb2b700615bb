import LifelineTrace

/// The report document, `lifeline.report/1`: what every format renders. The property names are the JSON's.
public struct Report: Codable, Sendable, Equatable {
  public static let schemaName = "lifeline.report/1"

  /// The tool that created the report.
  public struct Tool: Codable, Sendable, Equatable {
    public var name = "lifeline"
    public var version = LifelineVersion.text
  }

  public struct Program: Codable, Sendable, Equatable {
    public var path: String
    public var arguments: [String]
    /// 0 if nothing was recorded.
    public var processID: Int
    /// One of the two is set if `lifeline` waited for the program.
    public var exitStatus: Int?
    public var signal: Int?
    /// Another program replaced it (exec).
    public var isReplaced: Bool?
    /// It kept running when the recording ended.
    public var isDetached: Bool?
    /// The recording began after the program did.
    public var isRecordedLate: Bool?
    /// A finding ended it, as requested.
    public var isStoppedByFinding: Bool?
    /// Nanoseconds after which `lifeline explore` ended it.
    public var limit: UInt64?
  }

  public struct Recording: Codable, Sendable, Equatable {
    public var toolchain: String
    public var method: String
    /// Events by kind, without kinds that have none.
    public var events: [String: UInt64]
    public var lostEvents: UInt64
    /// What could not be observed, and how often: counters, entry points.
    public var unseen: [String: UInt64]
    /// Nanoseconds.
    public var duration: UInt64
    public var threads: Int
    /// Start of the recording in nanoseconds since 1970; sources changed later are no longer the program's.
    public var startTime: UInt64?
    /// Sentences about damage, blindness and images without names.
    public var remarks: [String]
    /// "full", or "lives" if retains and releases were not recorded; nil in older reports.
    public var depth: String?
    /// N if one in N objects was recorded; nil for all.
    public var sample: Int?
    /// The kept part; nil for all.
    public var keep: Keep?
    /// When fewer objects were recorded from then on (--max-overhead); nil if that did not happen.
    public var sampleChanges: [SampleChange]?
  }

  public struct SampleChange: Codable, Sendable, Equatable {
    /// N if one in N objects was recorded.
    public var sample: Int
    /// Nanoseconds from the start.
    public var since: UInt64
  }

  /// The limit of a recording that keeps only its latest part; one of the two is set.
  public struct Keep: Codable, Sendable, Equatable {
    public var bytes: UInt64?
    /// Nanoseconds.
    public var time: UInt64?
    /// Nanoseconds from the start of the recording to the start of the kept events; the part before is known by class,
    /// allocation and count.
    public var since: UInt64
    /// The number of dropped events.
    public var eventsGone: UInt64
  }

  /// A number estimated from a sample, with its standard error.
  public struct Estimate: Codable, Sendable, Equatable {
    public var value: Int
    public var error: Int
  }

  public struct Class: Codable, Sendable, Equatable {
    public var name: String
    public var allocated: Int
    /// Objects from before the recording that were used during it; nil if there are none.
    public var older: Int?
    public var liveAtExit: Int
    public var peakLive: Int
    public var instanceSize: Int
    public var retains: Int
    public var releases: Int
    /// Events whose recorded count did not follow from the preceding ones: events are missing or out of order.
    public var countGaps: Int
    /// Live objects at equal steps of the recording's duration, at most 64 values.
    public var liveOverTime: [Int]
    /// False if retains and releases were not recorded, so that the two numbers are meaningless; otherwise nil.
    public var isCounted: Bool?
    /// For a sample: the estimated number in the whole run.
    public var allocatedInAll: Estimate?
    public var liveAtExitInAll: Estimate?
  }

  public struct Frame: Codable, Sendable, Equatable {
    public var function: String
    public var mangledName: String?
    @Nullable public var file: String? = nil
    public var line: Int?
    public var column: Int?
    public var image: String
    /// Address in the image's file.
    public var offset: UInt64
    public var isInlined: Bool
    public var isSystem: Bool
    /// Whether it is an asynchronous caller, which waits and is not on the stack; otherwise nil.
    public var isAsync: Bool?
    /// Whether the compiler gave the code no line, and this is that of the code before, perhaps of another statement;
    /// otherwise nil.
    public var isNear: Bool?
  }

  public struct Backtrace: Codable, Sendable, Equatable {
    public var role: String
    public var thread: String
    public var event: UInt64
    public var frames: [Frame]
    /// "complete", "truncated" (deeper than the limit) or "incomplete" (a frame could not be found).
    public var extent: String
    /// Number of the asynchronous task that the thread was running, as numbered by the runtime; nil if it ran none.
    public var task: UInt64?
    /// Label of the serial dispatch queue whose code the thread was running; nil if it ran none.
    public var queue: String?
    /// Whether it is incomplete because it is unknown which functions await the outermost, asynchronous one.
    public var lacksAsyncCallers: Bool?

    /// The thread, and the task or the serial queue's code that it was running.
    public var place: String {
      [thread, task.map { "task \($0)" }, queue.map { "queue \($0)" }].compactMap { $0 }.joined(separator: ", ")
    }
  }

  public struct Object: Codable, Sendable, Equatable {
    public var id: String
    public var `class`: String
  }

  /// From a retain to the release that balances it.
  public struct Hold: Codable, Sendable, Equatable {
    /// The holder: an owner in the program's terms, or the framework activity that a rule names.
    public var holder: String
    /// Identifier of the hold rule, "" if none applies.
    public var rule: String
    public var isTransient: Bool
    /// "owner": meant to last; "call": a running function, while it runs; "transient".
    public var sort: String?
    public var fromEvent: UInt64
    /// The last event seen, if nothing balanced it (`isOpen`).
    public var toEvent: UInt64
    /// Nanoseconds.
    public var duration: UInt64
    /// Nanoseconds since the start of the recording.
    public var fromTime: UInt64
    public var isOpen: Bool
    /// "sure", "likely" or "perhaps": how certain the holder is. "perhaps" is a guess.
    public var confidence: String
    /// "sure" or "likely": how certain it is that the release is the retain's own; "open" if there is none.
    public var pairing: String?
    public var thread: String
    /// Function and "file:line" of the retain and of the release.
    public var function: String
    public var location: String?
    public var endFunction: String?
    public var endLocation: String?
  }

  /// The life of one object that a finding is about, for the formats that draw it.
  public struct ObjectTimeline: Codable, Sendable, Equatable {
    public struct Event: Codable, Sendable, Equatable {
      public var event: UInt64
      /// Nanoseconds since the start of the recording.
      public var time: UInt64
      /// As in `Recording.events`: "retain", "release", "useAfterFree" …
      public var kind: String
      /// What a tracked reference did and which one it is: "weak reference: set Screen#1.delegate".
      public var reference: String?
      /// Strong references added.
      public var change: Int
      /// Strong count after the event, if it was read.
      public var count: Int?
      public var thread: String
      public var function: String
      public var location: String?
      /// Whether the count does not follow from the previous event: events are missing or out of order.
      public var isAfterGap: Bool
      public var isFinalRelease: Bool
      /// Number of the asynchronous task that the thread was running; nil if it ran none.
      public var task: UInt64?
      /// Label of the serial dispatch queue whose code the thread was running; nil if it ran none.
      public var queue: String?
    }

    public var object: Object
    /// "subject" of a finding, "sender" of a message; "" if no finding was requested.
    public var role: String
    /// "on time", "late", "never", "too early" or "unknown": when the object died, compared with its last owner's
    /// release.
    public var verdict: String?
    public var events: [Event]
    public var holds: [Hold]
    /// Events omitted from the middle of a long life.
    public var omittedEvents: Int
    /// For an object used by several threads: whether its counts prove the order of their events, and where they do
    /// not.
    public var order: [String]?
    /// Index in `processes`, if several were recorded.
    public var process: Int?
  }

  public struct Finding: Codable, Sendable, Equatable {
    public var kind: String
    public var severity: String
    public var fingerprint: String
    public var title: String
    public var explanation: [String]
    public var object: Object
    @Nullable public var access: String? = nil
    public var backtraces: [Backtrace]
    public var holds: [Hold]
    /// The object that was held, if it is not the finding's own: the one that used it.
    public var heldObject: String?
    /// How the object is held, for a leak: a cycle's path begins and ends with the same object.
    public var path: [PathStep]
    /// How many findings of the same shape this one represents, including itself; nil for one.
    public var count: Int?
    /// The test in which it happened, if a backtrace shows it.
    public var test: String?
    /// All tests with such a finding, if there are several; `test` comes first.
    public var tests: [String]?
    public var suggestion: String?
    /// The gate's result; nil without a gate.
    public var outcome: Outcome?
    /// Index in `processes`, if several were recorded.
    public var process: Int?
  }

  /// One object: where it began, and when and how it ended.
  public struct ObjectSummary: Codable, Sendable, Equatable {
    public var id: String
    public var `class`: String
    public var bytes: Int
    public var allocatedEvent: UInt64
    /// Nanoseconds since the start of the recording.
    public var allocatedTime: UInt64
    public var thread: String
    /// The allocating function.
    public var function: String
    public var location: String?
    /// The event of its free, or of its deinit's end while something keeps the memory; nil if it is live.
    public var endEvent: UInt64?
    /// As in `ObjectTimeline`.
    public var verdict: String
    /// Index in `processes`, if several were recorded.
    public var process: Int?
  }

  /// Objects of one class that outlived their last owner without a consequence.
  public struct Late: Codable, Sendable, Equatable {
    public var `class`: String
    public var count: Int
    /// Further ones that died at the same places and were not examined.
    public var notLookedAt: Int
    /// The transient holders, named by rules.
    public var holders: [String]
    /// One per object, if requested.
    public var findings: [Finding]?
  }

  /// Objects of one class and one allocation site that are live at the end.
  public struct Live: Codable, Sendable, Equatable {
    public var `class`: String
    public var count: Int
    public var bytes: Int
    /// The oldest of them.
    public var first: String
    public var backtrace: Backtrace
    /// How many of them are unreachable; nil if that was not examined.
    public var lost: Int?
    /// Index in `processes`, if several were recorded.
    public var process: Int?
  }

  /// Live objects of the groups not listed.
  public struct LiveRest: Codable, Sendable, Equatable {
    public var groups: Int
    public var count: Int
    public var bytes: Int
    /// How many of them are unreachable; nil if that was not examined.
    public var lost: Int?
  }

  public var schema = Report.schemaName
  /// Nil in reports of versions before 1.0.
  public var tool: Tool? = Tool()
  /// The program that was started, or the one among several processes with the worst verdict.
  public var program: Program
  /// All processes of the run in the order of their start, if several were recorded.
  public var processes: [Process]?
  public var recording: Recording
  public var verdict: String
  @Nullable public var noVerdictReason: String? = nil
  /// What a clean verdict without a gate does not include: "leaks were not looked for".
  public var exception: String?
  public var classes: [Class]
  public var findings: [Finding]
  /// Objects that outlived their last owner without a consequence, by class; nil if there are none.
  public var late: [Late]?
  /// The 1,000 largest groups, and at most as many others with leaked objects.
  public var liveAtExit: [Live]
  /// The totals of the others; nil if all groups are listed.
  public var liveRest: LiveRest?
  /// The heap at the end; nil if it was not examined.
  public var heap: Heap?
  /// The objects that are live at the end and those whose full histories were read, in order of allocation, at most
  /// 1,000.
  public var lives: [ObjectSummary] = []
  /// Lives of the objects that the findings name.
  public var timelines: [ObjectTimeline]
  /// What each test allocated, if `--per-test` was given.
  public var tests: [Test]?
  /// The runs of `lifeline check --two-steps`, in order; nil if there was one.
  public var steps: [Step]?
  /// What `lifeline check` judged the run by, and the results.
  public var gate: Gate?
  /// What `lifeline explore` tried, and the results.
  public var exploration: Exploration?
}
