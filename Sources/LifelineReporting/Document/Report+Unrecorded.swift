public import LifelineTrace

extension Report {
  /// The report of a run without a trace, which says why there is no verdict.
  public init(unrecorded arguments: [String], end: LifelineTrace.Recording.End?, reason: String) {
    self.init(
      program: Program(path: arguments.first ?? "", arguments: arguments, processID: Program.unrecorded),
      recording: Recording(
        toolchain: "", method: "", events: [:], lostEvents: 0, unseen: [:], duration: 0, threads: 0, remarks: []),
      verdict: "none", noVerdictReason: reason, classes: [], findings: [], liveAtExit: [], timelines: [])
    program.note(end ?? .unknown)
  }
}

extension Report.Program {
  /// The process ID of a program that was not recorded.
  static let unrecorded = 0

  var isRecorded: Bool { processID != Self.unrecorded }

  /// Notes how the process ended.
  mutating func note(_ end: LifelineTrace.Recording.End) {
    switch end {
    case .exit(let status): exitStatus = status
    case .signal(let number): signal = number
    case .replaced: isReplaced = true
    case .detached: isDetached = true
    case .unknown: break
    }
  }
}
