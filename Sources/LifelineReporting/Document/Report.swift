import LifelineTrace

/// The report document, `lifeline.report/1`: what every format renders. The property names are the JSON's.
public struct Report: Codable, Sendable, Equatable {
  public static let schemaName = "lifeline.report/1"

  /// What made the report.
  public struct Tool: Codable, Sendable, Equatable {
    public var name = "lifeline"
    public var version = LifelineVersion.text
  }

  public struct Program: Codable, Sendable, Equatable {
    public var path: String
    public var arguments: [String]
    public var processID: Int
    /// One of the two is set when `lifeline` waited for the program.
    public var exitStatus: Int?
    public var signal: Int?
    /// Another program took its place (exec).
    public var isReplaced: Bool?
    /// It kept running when the recording ended.
    public var isDetached: Bool?
    /// Nanoseconds after which `lifeline explore` ended it.
    public var limit: UInt64?
  }

  public struct Recording: Codable, Sendable, Equatable {
    public var toolchain: String
    public var method: String
    /// Events by kind; kinds without events are left out.
    public var events: [String: UInt64]
    public var lostEvents: UInt64
    /// What could not be seen, and how often: counters, entry points.
    public var unseen: [String: UInt64]
    /// Nanoseconds.
    public var duration: UInt64
    public var threads: Int
    /// Nanoseconds since 1970 at which the recording began; sources changed later are not the program's any more.
    public var startTime: UInt64?
    /// Sentences about damage, blindness and images without names.
    public var remarks: [String]
    /// "full", or "lives" when retains and releases were not recorded; nil in older reports.
    public var depth: String?
    /// N where one object of N was recorded; nil for all.
    public var sample: Int?
    /// How much of it is kept; nil for all.
    public var keep: Keep?
    /// When fewer objects were recorded from then on (--max-overhead); nil where that did not happen.
    public var sampleChanges: [SampleChange]?
  }

  public struct SampleChange: Codable, Sendable, Equatable {
    /// N where one object of N was recorded.
    public var sample: Int
    /// Nanoseconds from the start.
    public var since: UInt64
  }

  /// A recording that keeps so much; of the two limits one is set.
  public struct Keep: Codable, Sendable, Equatable {
    public var bytes: UInt64?
    /// Nanoseconds.
    public var time: UInt64?
    /// Nanoseconds from the start to where the events that are kept begin; what was before is known by class, birth and
    /// count.
    public var since: UInt64
    /// Events that have gone.
    public var eventsGone: UInt64
  }

  /// A number that was estimated from a sample, with its standard error.
  public struct Estimate: Codable, Sendable, Equatable {
    public var value: Int
    public var error: Int
  }

  public struct Class: Codable, Sendable, Equatable {
    public var name: String
    public var allocated: Int
    /// Objects from before the recording that were used meanwhile; nil where there is none.
    public var older: Int?
    public var liveAtExit: Int
    public var peakLive: Int
    public var instanceSize: Int
    public var retains: Int
    public var releases: Int
    /// Events whose recorded count did not follow from those before: something was not seen or is out of order.
    public var countGaps: Int
    /// Live objects at equal steps of the recording's duration, at most 64 values.
    public var liveOverTime: [Int]
    /// False where retains and releases were not recorded, so that the two numbers say nothing; else nil.
    public var isCounted: Bool?
    /// For a sample: what the whole run had, as far as the sample tells.
    public var allocatedInAll: Estimate?
    public var liveAtExitInAll: Estimate?
  }

  public struct Frame: Codable, Sendable, Equatable {
    public var function: String
    public var mangledName: String?
    public var file: String?
    public var line: Int?
    public var column: Int?
    public var image: String
    /// Address in the image's file.
    public var offset: UInt64
    public var isInlined: Bool
    public var isSystem: Bool
    /// An asynchronous caller, which waits and is not on the stack; nil for the others.
    public var isAsync: Bool?
  }

  public struct Backtrace: Codable, Sendable, Equatable {
    public var role: String
    public var thread: String
    public var event: UInt64
    public var frames: [Frame]
    /// "complete", "truncated" (deeper than the limit) or "incomplete" (a frame could not be found).
    public var extent: String
    /// Number of the asynchronous task that the thread was running, as the runtime counts tasks; nil when it ran none.
    public var task: UInt64?
    /// Incomplete in this: which functions wait for the outermost, an asynchronous one, is not known.
    public var lacksAsyncCallers: Bool?

    /// The thread, and the task that it was running.
    public var place: String { task.map { "\(thread), task \($0)" } ?? thread }
  }

  public struct Object: Codable, Sendable, Equatable {
    public var id: String
    public var `class`: String
  }

  /// From a retain to the release that balances it.
  public struct Hold: Codable, Sendable, Equatable {
    /// Who: an owner in the program's words, or the framework activity that a rule names.
    public var holder: String
    /// Identifier of the hold rule, "" when none applies.
    public var rule: String
    public var isTransient: Bool
    /// "owner": meant to last; "call": a running function, for its own time; "transient".
    public var sort: String?
    public var fromEvent: UInt64
    /// The last event seen, when nothing balanced it (`isOpen`).
    public var toEvent: UInt64
    /// Nanoseconds.
    public var duration: UInt64
    /// Nanoseconds since the start of the recording.
    public var fromTime: UInt64
    public var isOpen: Bool
    /// "sure", "likely" or "perhaps": how well it is known that the holder is the one. What is "perhaps" is a guess.
    public var confidence: String
    /// "sure" or "likely": how certain the release is the retain's own; "open" when there is none.
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
      /// What a tracked reference did and which it is: "weak reference: set Screen#1.delegate".
      public var reference: String?
      /// Strong references added.
      public var change: Int
      /// Strong count after the event, where it was read.
      public var count: Int?
      public var thread: String
      public var function: String
      public var location: String?
      /// The count does not follow from the event before: something was not seen or is out of order.
      public var isAfterGap: Bool
      public var isFinalRelease: Bool
      /// Number of the asynchronous task that the thread was running; nil when it ran none.
      public var task: UInt64?
    }

    public var object: Object
    /// "subject" of a finding, "sender" of a message; "" where no finding was asked about.
    public var role: String
    /// "on time", "late", "never", "too early" or "unknown": when the object died, held against its last owner's
    /// release.
    public var verdict: String?
    public var events: [Event]
    public var holds: [Hold]
    /// Events left out of the middle of a long life.
    public var omittedEvents: Int
    /// For an object of several threads: whether its counts prove the order of their events, and where they do not.
    public var order: [String]?
    /// Index in `processes`, where several were recorded.
    public var process: Int?
  }

  public struct Finding: Codable, Sendable, Equatable {
    public var kind: String
    public var severity: String
    public var fingerprint: String
    public var title: String
    public var explanation: [String]
    public var object: Object
    public var access: String?
    public var backtraces: [Backtrace]
    public var holds: [Hold]
    /// How the object is held, for a leak: a cycle's path begins and ends with the same object.
    public var path: [PathStep]
    /// How many findings of the same shape this one stands for, itself included; nil for one.
    public var count: Int?
    /// The test in which it happened, where a backtrace shows it.
    public var test: String?
    public var suggestion: String?
    /// What the gate made of it; nil where no gate was asked.
    public var outcome: Outcome?
    /// Index in `processes`, where several were recorded.
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
    /// Who allocated it.
    public var function: String
    public var location: String?
    /// The event of its free, or of its deinit's end while something keeps the memory; nil while it lives.
    public var endEvent: UInt64?
    /// As in `ObjectTimeline`.
    public var verdict: String
    /// Index in `processes`, where several were recorded.
    public var process: Int?
  }

  /// Objects of one class that outlived their last owner without a consequence.
  public struct Late: Codable, Sendable, Equatable {
    public var `class`: String
    public var count: Int
    /// Further ones that died at the same places and were not looked at.
    public var notLookedAt: Int
    /// The passing holders, by the rules that name them.
    public var holders: [String]
    /// One for each object, where they were asked for.
    public var findings: [Finding]?
  }

  /// Objects that are live at the end, of one class and from one place.
  public struct Live: Codable, Sendable, Equatable {
    public var `class`: String
    public var count: Int
    public var bytes: Int
    /// The oldest of them.
    public var first: String
    public var backtrace: Backtrace
    /// How many of them nothing reaches any more; nil where that was not examined.
    public var lost: Int?
    /// Index in `processes`, where several were recorded.
    public var process: Int?
  }

  /// Live objects of the groups that are not listed.
  public struct LiveRest: Codable, Sendable, Equatable {
    public var groups: Int
    public var count: Int
    public var bytes: Int
    /// How many of them nothing reaches any more; nil where that was not examined.
    public var lost: Int?
  }

  public var schema = Report.schemaName
  /// Nil in reports of versions before 1.0.
  public var tool: Tool? = Tool()
  /// The program that was started, or the one of several processes whose verdict is the worst.
  public var program: Program
  /// All processes of the run in the order of their start, where more than one was recorded.
  public var processes: [Process]?
  public var recording: Recording
  public var verdict: String
  public var noVerdictReason: String?
  public var classes: [Class]
  public var findings: [Finding]
  /// What outlived its last owner and did nothing by it, by class; nil when nothing did.
  public var late: [Late]?
  /// The 1,000 groups of most objects, and at most as many others of which some are lost.
  public var liveAtExit: [Live]
  /// What is not among them; nil when all groups are.
  public var liveRest: LiveRest?
  /// What was seen of the heap at the end; nil if it was not examined.
  public var heap: Heap?
  /// The objects that are live at the end and those whose whole lives were read, in order of allocation, at most 1,000.
  public var lives: [ObjectSummary] = []
  /// Lives of the objects that the findings name.
  public var timelines: [ObjectTimeline]
  /// What each test allocated, where `--per-test` asked for it.
  public var tests: [Test]?
  /// The runs of `lifeline check --two-steps`, in order; nil where there was one.
  public var steps: [Step]?
  /// What `lifeline check` was asked to hold the run against, and what came of it.
  public var gate: Gate?
  /// What `lifeline explore` tried, and what came of it.
  public var exploration: Exploration?
}
