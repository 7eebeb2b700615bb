import LifelineTrace

extension Report {
  /// One of the processes of a run, if several were recorded.
  public struct Process: Codable, Sendable, Equatable {
    public var program: Program
    /// "findings", "clean" or "none": the verdict on the process alone, without a gate.
    public var verdict: String
    public var noVerdictReason: String?
    public var objects: Int
    public var events: UInt64
    public var lostEvents: UInt64
    public var threads: Int
    /// Nanoseconds.
    public var duration: UInt64
    /// Findings of any severity.
    public var findings: Int

    init(_ report: Report) {
      program = report.program
      verdict = report.verdict
      noVerdictReason = report.noVerdictReason
      objects = report.classes.reduce(0) { $0 &+ $1.allocated }
      events = report.recording.events.values.reduce(0, &+)
      lostEvents = report.recording.lostEvents
      threads = report.recording.threads
      duration = report.recording.duration
      findings = report.findings.count
    }

    /// "AppTests.xctest (process 4711)".
    public var name: String { program.name }
  }

  /// The process of a finding, life or group, by index in `processes`.
  func process(_ index: Int?) -> Process? {
    guard let index, let processes, processes.indices.contains(index) else { return nil }
    return processes[index]
  }

  /// "In the process App (process 4711).", "In the test SessionTests.testClosing().": where a finding was made, as far
  /// as that distinguishes it.
  func whereabouts(_ finding: Finding) -> [String] {
    let process = process(finding.process).map { "In the process \($0.name)." }
    return [process, finding.testSentence].compactMap { $0 }
  }
}

extension Report.Program {
  /// "App (process 4711)".
  public var name: String { "\(ProgramName(path).text) (process \(processID))" }

  /// The meaning of "live" in the report: "live at exit", or "live at the end" for a program that kept running.
  var live: String { isDetached == true ? "live at the end" : "live at exit" }
  var liveTitle: String { "Live at \(isDetached == true ? "the end of the recording" : "exit")" }

  /// Whether nothing tells how it ended, or whether.
  public var hasUnknownEnd: Bool {
    exitStatus == nil && signal == nil && isDetached != true && isReplaced != true && limit == nil
  }

  /// "exited with status 0".
  public var ending: String {
    if let signal { return "was ended by \(SignalName.of(signal))" }
    if isDetached == true { return "kept running when the recording ended" }
    if isReplaced == true { return "was replaced by another program (exec)" }
    if let limit { return "was stopped after \(Quantity.duration(limit)) (--limit)" }
    return exitStatus.map { "exited with status \($0)" } ?? "did not exit (crashed, killed or still running)"
  }
}
