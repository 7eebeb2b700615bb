extension Report {
  /// Many runs of one program, each under a schedule of its own.
  public struct Exploration: Codable, Sendable, Equatable {
    /// A place where a thread was held.
    public struct Hold: Codable, Sendable, Equatable {
      public var thread: String
      /// "use" (a retain, or the like), "release", "deinit", "allocation", "lock", "enqueue", "run" (of what was
      /// enqueued) or "switch" (of a task to another executor): what it was about to do; "unlock", "wait" or "signal":
      /// what it had done.
      public var before: String
      /// Nil where it was not yet made, or is of a class that is not recorded.
      public var object: Object?
      public var function: String
      public var location: String?
      /// The how-manyth time a thread came there.
      public var visit: Int
      /// How long it was held; nil when the run ended first.
      public var microseconds: UInt64?
      /// Whether what it waited for happened: the object ended, or another thread did the same.
      public var isOvertaken: Bool
      /// Where the object's end began, when that is what happened.
      public var end: Place?
      /// Whether it was also freed before the thread continued; nil if it did not end.
      public var isFreed: Bool?
      /// Number of the event at which it was held, and of the one at which it continued.
      public var event: UInt64
      public var endEvent: UInt64?

      /// Whether it was held once that was done.
      var isAfter: Bool { ["unlock", "wait", "signal"].contains(before) }
    }

    /// Where another thread did something.
    public struct Place: Codable, Sendable, Equatable {
      public var thread: String
      public var function: String
      public var location: String?
      public var event: UInt64
    }

    /// Runs that were begun and came to an end, the natural one included.
    public var runs: Int
    /// Runs that were ended because they took longer than the limit.
    public var stopped: Int
    /// Points that all threads of all runs passed.
    public var points: Int
    /// Places whose objects another thread ends, or several threads touch.
    public var racingSites: Int
    /// Those at which a thread was held until the other order had come about.
    public var reversedSites: Int
    /// Nanoseconds that all of it took.
    public var duration: UInt64
    /// The number that `--seed` gave: all runs but the first had its schedule.
    public var givenSeed: UInt64?
    /// What is wrong where no finding says it: a crash, another end than by itself, a run without end.
    public var problem: String?
    /// How often that happened without holds, of how many runs; nil if not tried.
    public var byItself: Int?
    public var byItselfOf: Int?
    /// The run that found it, and what chose its schedule; nil without a find.
    public var foundInRun: Int?
    public var strategy: String?
    /// The number that repeats it, for `--seed`; nil without a find, and where the natural run shows it.
    public var seed: UInt64?
    /// How often that seed showed it again, of how many runs.
    public var shownAgain: Int?
    public var shownAgainOf: Int?
    /// The shortest schedule that still shows it.
    public var schedule: [Hold]

    public init(
      runs: Int, stopped: Int, points: Int, racingSites: Int, reversedSites: Int, duration: UInt64,
      givenSeed: UInt64? = nil, problem: String? = nil, foundInRun: Int? = nil, strategy: String? = nil,
      seed: UInt64? = nil, shownAgain: Int? = nil, shownAgainOf: Int? = nil,
      schedule: [Hold] = []
    ) {
      self.runs = runs
      self.stopped = stopped
      self.points = points
      self.racingSites = racingSites
      self.reversedSites = reversedSites
      self.duration = duration
      self.givenSeed = givenSeed
      self.problem = problem
      self.foundInRun = foundInRun
      self.strategy = strategy
      self.seed = seed
      self.shownAgain = shownAgain
      self.shownAgainOf = shownAgainOf
      self.schedule = schedule
    }
  }
}
