extension Report {
  /// One run of a program that was run twice: `lifeline check --two-steps`.
  public struct Step: Codable, Sendable, Equatable {
    /// "lives" or "full".
    public var depth: String
    /// Full names of the classes whose retains and releases were recorded; nil for all.
    public var classes: [String]?
    public var program: Program
    /// Findings of any severity.
    public var findings: Int
    /// What was done, why, and the result.
    public var sentence: String

    public init(depth: String, classes: [String]? = nil, program: Program, findings: Int, sentence: String) {
      self.depth = depth
      self.classes = classes
      self.program = program
      self.findings = findings
      self.sentence = sentence
    }
  }

  /// This report of a second run, at full depth, with the findings that only the first one had.
  ///
  /// Findings with equal fingerprints are the same; the second run's say more, and are kept. Those only in the first
  /// run keep the events of that run, and say so.
  ///
  /// If this run was stopped, as a server that nobody asks anything is, it shows less of the same: then the numbers are
  /// the first run's.
  public func explaining(_ first: Report, isWhole: Bool) -> Report {
    let isFirst = !isWhole && processes == nil && first.processes == nil
    var report = isFirst ? withNumbers(of: first) : self
    let missing = missing(from: first).map { finding -> Finding in
      var finding = finding
      finding.explanation.append(
        "Only the first run, at depth lives, showed this; event numbers are those of the first run.")
      finding.process = first.process(finding.process).flatMap { counterpart(of: $0.program) }
      return finding
    }
    report.findings = ["error", "warning", "note"].flatMap { severity in
      (report.findings + missing).filter { $0.severity == severity }
    }
    return report
  }

  private func withNumbers(of first: Report) -> Report {
    var report = first
    (report.timelines, report.late) = (timelines, late)
    report.findings = findings.map { finding in
      let early = first.findings.first { $0.fingerprint == finding.fingerprint }
      guard var early, (early.count ?? 1) > (finding.count ?? 1) else { return finding }
      let lines = finding.explanation.filter { $0.contains("(event ") }
      early.explanation += lines.map { "In the second run, which showed fewer: \($0)" }
      return early
    }
    return report
  }

  /// The process of this run that is the same program with the same arguments as one of another run; nil if none or
  /// several are.
  private func counterpart(of program: Program) -> Int? {
    let alike = (processes ?? []).indices.filter {
      processes?[$0].program.path == program.path && processes?[$0].program.arguments == program.arguments
    }
    return alike.count == 1 ? alike[0] : nil
  }

  /// How processes ended otherwise than in a first run, as "it exited with status 0, while the first was ended by
  /// SIGABRT". What a finding ended in one run might have crashed otherwise, as in the other.
  public func otherEndings(than first: Report) -> [String] {
    func difference(_ name: String, _ early: Program, _ late: Program) -> String? {
      early.ending == late.ending || early.signal != nil && late.isStoppedByFinding == true
        || late.signal != nil && early.isStoppedByFinding == true
        ? nil : "\(name) \(late.ending), while the first \(early.ending)"
    }
    guard let processes, let others = first.processes else {
      return difference("it", first.program, program).map { [$0] } ?? []
    }
    return others.compactMap { other in
      // Several may be alike in the first run, too.
      guard let index = counterpart(of: other.program), first.counterpart(of: other.program) != nil else { return nil }
      return difference(ProgramName(other.program.path).text, other.program, processes[index].program)
    }
  }

  /// The findings of a first run that are missing in this one. A leak is not missing if another one includes its
  /// object, as when a task's memory happens to refer to both; nor is a use after free if such an object was used
  /// otherwise, since what the freed memory has become differs between runs; nor an object that was referred to at the
  /// end of its deinit, if this run shows who took it.
  public func missing(from first: Report) -> [Finding] {
    let known = Set(findings.map(\.fingerprint))
    return first.findings.filter { !known.contains($0.fingerprint) && !isLost($0) && !isUsed($0) && !isTaken($0) }
  }

  /// The objects of a first run's findings that have another number in this one, with their names in both. Where
  /// several findings have one fingerprint, it is unknown which of them corresponds to which.
  public func renumbered(from first: Report) -> [(first: String, here: String)] {
    let (before, after) = (Self.byFingerprint(first.findings), Self.byFingerprint(findings))
    var known: Set<String> = []
    return first.findings.compactMap {
      guard before[$0.fingerprint]?.count == 1, let here = after[$0.fingerprint], here.count == 1,
        here[0].object.id != $0.object.id, known.insert($0.object.id).inserted
      else { return nil }
      return ($0.object.id, here[0].object.id)
    }
  }

  private static func byFingerprint(_ findings: [Finding]) -> [String: [Finding]] {
    Dictionary(grouping: findings, by: \.fingerprint)
  }

  /// Whether an object of the class, with the same allocation and final release, is used after its end.
  private func isUsed(_ finding: Finding) -> Bool {
    guard finding.kind == "use-after-free", let born = Self.place("allocation", finding),
      let freed = Self.place("final-release", finding)
    else { return false }
    return findings.contains {
      $0.kind == finding.kind && $0.object.class == finding.object.class && Self.place("allocation", $0) == born
        && Self.place("final-release", $0) == freed
    }
  }

  /// Whether another thread used an object of the class, with the same allocation, that was dying in the first run.
  private func isTaken(_ finding: Finding) -> Bool {
    guard finding.kind == "resurrection", let born = Self.place("allocation", finding) else { return false }
    return findings.contains {
      $0.kind == "use-after-free" && $0.object.class == finding.object.class && Self.place("allocation", $0) == born
    }
  }

  private static func place(_ role: String, _ finding: Finding) -> [String]? {
    finding.backtraces.first { $0.role == role }?.frames.map(\.function)
  }

  /// Whether a leak includes an object of the class that was allocated at the same place.
  private func isLost(_ finding: Finding) -> Bool {
    guard finding.kind == "leak", findings.contains(where: { $0.kind == "leak" }),
      let place = Self.place("allocation", finding)
    else { return false }
    return liveAtExit.contains {
      $0.class == finding.object.class && $0.lost ?? 0 > 0 && $0.backtrace.frames.map(\.function) == place
    }
  }
}
