extension HTMLFormat {
  /// The limits of a page; a note marks each omission, and JSON has everything.
  ///
  /// The byte limits add up to less than 5 MB, with texts already truncated to `Markup.textLimit`.
  enum Limits {
    static let findings = 200
    static let findingBytes = 2_400_000
    static let backtraces = 8
    static let frames = 64
    static let sentences = 24
    static let holds = 60
    static let timelines = 6
    static let figureEvents = 800
    static let fewestEvents = 60
    static let lanes = 24
    static let holdsOfLane = 20
    /// All figures together; they are inside the findings, and counted separately.
    static let figureBytes = 1_300_000
    static let classes = 1000
    static let classBytes = 500_000
    static let objectBytes = 250_000
    static let liveGroups = 200
    static let liveBytes = 300_000
    static let remarks = 100
    static let counters = 200
    static let contracts = 200
  }
}
