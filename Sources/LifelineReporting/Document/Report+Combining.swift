extension Report {
  /// Combines the reports of several processes into one for the run; `leading` is the index of the one that names the
  /// run.
  ///
  /// Facts about one process say which. For one process it is that process's own report.
  public init(combining reports: [Report], leading: Int) {
    precondition(reports.indices.contains(leading))
    self = reports[leading]
    guard reports.count > 1 else { return }
    processes = reports.map(Process.init)
    let marked = reports.enumerated().map { $1.marked(process: $0) }
    let found = marked.flatMap(\.findings)
    findings = ["error", "warning", "note"].flatMap { severity in found.filter { $0.severity == severity } }
    let passing = marked.flatMap { $0.late ?? [] }
    late = passing.isEmpty ? nil : passing
    liveAtExit = marked.flatMap(\.liveAtExit)
    liveRest = Self.combined(reports.compactMap(\.liveRest))
    lives = marked.flatMap(\.lives)
    timelines = marked.flatMap(\.timelines)
    classes = Self.combined(reports.map(\.classes))
    if reports.contains(where: { $0.tests != nil }) { tests = Self.combined(reports.compactMap(\.tests)) }
    recording = Self.combined(reports, leading: leading)
    let reasoned = reports.first { $0.verdict == "none" && !$0.recording.events.isEmpty }
    verdict = reports.contains { $0.verdict == "findings" } ? "findings" : reasoned == nil ? verdict : "none"
    noVerdictReason = verdict == "none" ? reasoned?.noVerdictReason ?? noVerdictReason : nil
  }

  private func marked(process index: Int) -> Report {
    var report = self
    for item in report.findings.indices { report.findings[item].process = index }
    for item in report.liveAtExit.indices { report.liveAtExit[item].process = index }
    for item in report.lives.indices { report.lives[item].process = index }
    for item in report.timelines.indices { report.timelines[item].process = index }
    return report
  }

  private static func combined(_ reports: [Report], leading: Int) -> Recording {
    var sum = reports[leading].recording
    for (index, other) in reports.enumerated() where index != leading {
      sum.events.merge(other.recording.events) { $0 &+ $1 }
      sum.unseen.merge(other.recording.unseen) { $0 &+ $1 }
      sum.lostEvents = sum.lostEvents.addingUpToMaximum(other.recording.lostEvents)
      sum.threads += other.recording.threads
      sum.duration = max(sum.duration, other.recording.duration)
      if let start = other.recording.startTime { sum.startTime = min(sum.startTime ?? start, start) }
    }
    sum.remarks = reports.flatMap { report in report.recording.remarks.map { "\(report.program.name): \($0)" } }
    return sum
  }

  private static func combined(_ rests: [LiveRest]) -> LiveRest? {
    guard var sum = rests.first else { return nil }
    for rest in rests.dropFirst() {
      sum.groups += rest.groups
      sum.count += rest.count
      sum.bytes += rest.bytes
      sum.lost = rest.lost.map { $0 + (sum.lost ?? 0) } ?? sum.lost
    }
    return sum
  }

  /// Variances of independent samples add up.
  private static func added(_ first: Estimate?, _ second: Estimate?) -> Estimate? {
    guard let first, let second else { return first ?? second }
    let error = (Double(first.error) * Double(first.error) + Double(second.error) * Double(second.error)).squareRoot()
    return Estimate(value: first.value &+ second.value, error: Int(error.rounded()))
  }

  /// Totals by name. Peaks of several processes are not added: the highest one is used, with its curve.
  private static func combined(_ lists: [[Class]]) -> [Class] {
    var byName: [String: Class] = [:]
    for entry in lists.joined() {
      guard var sum = byName[entry.name] else {
        byName[entry.name] = entry
        continue
      }
      sum.allocated += entry.allocated
      sum.liveAtExit += entry.liveAtExit
      sum.retains += entry.retains
      sum.releases += entry.releases
      sum.countGaps += entry.countGaps
      sum.isCounted = sum.isCounted ?? entry.isCounted
      sum.allocatedInAll = added(sum.allocatedInAll, entry.allocatedInAll)
      sum.liveAtExitInAll = added(sum.liveAtExitInAll, entry.liveAtExitInAll)
      if entry.peakLive > sum.peakLive { (sum.peakLive, sum.liveOverTime) = (entry.peakLive, entry.liveOverTime) }
      byName[entry.name] = sum
    }
    return byName.values.sorted { ($1.allocated, $0.name) < ($0.allocated, $1.name) }
  }
}
