extension Report {
  /// Many runs of one program, each under its own schedule.
  public struct Exploration: Codable, Sendable, Equatable {
    /// A place where a thread was held.
    public struct Hold: Codable, Sendable, Equatable {
      public var thread: String
      /// What it was about to do: "use" (a retain or similar), "release", "deinit", "allocation", "lock", "enqueue",
      /// "run" (of enqueued code) or "switch" (of a task to another executor); or what it had done: "unlock", "wait" or
      /// "signal".
      public var before: String
      /// Nil if it was not created yet, or its class is not recorded.
      public var object: Object?
      public var function: String
      public var location: String?
      /// The number of the visit.
      public var visit: Int
      /// How long it was held; nil if the run ended first.
      public var microseconds: UInt64?
      /// Whether the awaited event happened: the object ended, or another thread did the same.
      public var isOvertaken: Bool
      /// Where the object's end began, if that happened.
      public var end: Place?
      /// Whether it was also freed before the thread continued; nil if it did not end.
      public var isFreed: Bool?
      /// Numbers of the events at which it was held and at which it continued.
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

    /// Completed runs, including the natural one.
    public var runs: Int
    /// Runs ended because they exceeded the limit.
    public var stopped: Int
    /// Points passed by all threads of all runs.
    public var points: Int
    /// Places whose objects another thread ends, or several threads touch.
    public var racingSites: Int
    /// Those at which a thread was held until the other order occurred.
    public var reversedSites: Int
    /// Total duration in nanoseconds.
    public var duration: UInt64
    /// The number given by `--seed`: all runs but the first had its schedule.
    public var givenSeed: UInt64?
    /// A problem without a finding: a crash, an unusual end, or a run without end.
    public var problem: String?
    /// How often that happened without holds, in how many runs; nil if not tried.
    public var byItself: Int?
    public var byItselfOf: Int?
    /// The run that found it, and what selected its schedule; nil without a find.
    public var foundInRun: Int?
    public var strategy: String?
    /// The number that repeats it, for `--seed`; nil without a find, and if the natural run shows it.
    public var seed: UInt64?
    /// How often that seed showed it again, in how many runs.
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
