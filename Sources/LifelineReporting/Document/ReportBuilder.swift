import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Creates the report of a trace: its conclusions, with names.
public struct ReportBuilder {
  private let trace: Trace
  private let diagnosis: Diagnosis
  private let names: Names
  private let showsLate: Bool

  /// `showsLate` lists each late deallocation, including those without a consequence.
  public init(_ trace: Trace, _ diagnosis: Diagnosis, names: Names, showsLate: Bool = false) {
    self.showsLate = showsLate
    self.trace = trace
    self.diagnosis = diagnosis
    self.names = names
  }

  /// Builds the report; the same trace and the same image files give the same report.
  public func build() -> Report {
    let findings = DistinctFingerprints.given(to: diagnosis.findings.map(finding))
    let live = LiveGroups(diagnosis.summary.liveGroups, lost: lostByPlace)
    var reason: String?
    if case .none(let sentence) = diagnosis.verdict { reason = sentence }
    let late = self.late, lives = self.lives, timelines = self.timelines
    let liveAtExit = live.listed.map(group)
    let heap = diagnosis.heap.map { HeapReport(snapshot: $0, diagnosis: diagnosis, names: names).report }
    // `recording` comes last, because unreadable files are known once all names have been looked up.
    return Report(
      program: program, recording: recording, verdict: diagnosis.verdict.name, noVerdictReason: reason,
      classes: classes, findings: findings, late: late, liveAtExit: liveAtExit, liveRest: live.rest, heap: heap,
      lives: lives, timelines: timelines)
  }

  private var late: [Report.Late]? {
    let groups = Dictionary(grouping: diagnosis.late, by: \.object.className).sorted {
      ($1.value.count, $0.key) < ($0.value.count, $1.key)
    }
    if groups.isEmpty { return nil }
    return groups.map { name, found in
      Report.Late(
        class: name, count: found.count, notLookedAt: found.reduce(0) { $0 + $1.similar },
        holders: Set(found.compactMap { $0.lifetime?.lateDeallocation.map { HolderWording($0.kept).name } }).sorted(),
        findings: showsLate ? found.map(finding) : nil)
    }
  }

  private var program: Report.Program {
    var program = Report.Program(
      path: trace.tables.programPath, arguments: trace.tables.arguments, processID: trace.recording.process)
    program.note(trace.recording.end)
    if trace.recording.age != nil { program.isRecordedLate = true }
    if trace.recording.isStoppedByFinding { program.isStoppedByFinding = true }
    return program
  }

  private var recording: Report.Recording {
    let tracker = diagnosis.summary.tracker
    var events: [String: UInt64] = [:]
    for kind in EventKind.allCases where tracker.eventCounts[Int(kind.rawValue)] > 0 {
      events[kind.name] = tracker.eventCounts[Int(kind.rawValue)]
    }
    var unseen: [String: UInt64] = [:]
    var lost: UInt64 = 0
    for counter in trace.recording.counters {
      if counter.name.hasPrefix("lost") { lost = lost.addingUpToMaximum(counter.value) }
      unseen[counter.name] = counter.value
    }
    for detour in trace.tables.detours where detour.status != .active { unseen[detour.entryPoint] = 1 }
    let method =
      switch trace.tables.runtime {
      case .shared: "entry detours in \(trace.tables.runtimePath)"
      case .static: "entry detours in the program's own copy of the runtime"
      case nil: "none"
      }
    return Report.Recording(
      toolchain: trace.tables.runtimePath, method: method, events: events, lostEvents: lost, unseen: unseen,
      duration: max(trace.recording.duration, trace.recording.nanoseconds(at: tracker.lastClock)),
      threads: trace.tables.threads.count, startTime: trace.recording.startTime, remarks: remarks,
      depth: trace.recording.depth.rawValue, sample: trace.recording.sample > 1 ? trace.recording.sample : nil,
      keep: keep,
      sampleChanges: sampleChanges)
  }

  private var sampleChanges: [Report.SampleChange]? {
    let changes = trace.tables.sampleChanges.map {
      Report.SampleChange(sample: $0.denominator, since: trace.recording.nanoseconds(at: $0.clock))
    }
    return changes.isEmpty ? nil : changes
  }

  private var keep: Report.Keep? {
    guard let keep = trace.recording.keep else { return nil }
    let horizon = trace.baseLine.map { trace.recording.nanoseconds(at: $0.horizon) } ?? 0
    let gone = trace.baseLine?.events ?? 0
    return switch keep {
    case .size(let bytes): Report.Keep(bytes: bytes, since: horizon, eventsGone: gone)
    case .time(let time): Report.Keep(time: time, since: horizon, eventsGone: gone)
    }
  }

  /// The remark on every trace at depth lives.
  public static let depthRemark =
    "Recorded at depth lives: retains, releases, weak and unowned references are not in the trace, so holders, "
    + "late deallocations and near misses are unknown. --depth full records them."

  private var remarks: [String] {
    var remarks = trace.problems + diagnosis.summary.problems + trace.tables.notices
    if trace.recording.depth == .lives { remarks.append(Self.depthRemark) }
    remarks += crashRemark + attachRemark + keepRemark + sampleRemark + uncountedRemark
    if let sentence = trace.recording.stopSentence { remarks.append("The recording stopped early: \(sentence).") }
    for counter in trace.recording.counters {
      let sentence = "\(Quantity.number(counter.value)) \(counter.meaning)."
      remarks.append(counter.name == "forks" ? "The process was forked." : sentence)
    }
    if diagnosis.summary.tracker.unattributed > 0 {
      remarks.append(
        "\(Quantity.count(diagnosis.summary.tracker.unattributed, "event")) could not be assigned to an object.")
    }
    let reordered = diagnosis.summary.tracker.reordered
    if reordered > 0 {
      remarks.append(
        "\(Quantity.count(reordered, "event")) \(reordered == 1 ? "is" : "are") listed after the free of the object, "
          + "which another thread did at the same moment."
      )
    }
    if let heap = diagnosis.heap {
      if let refusal = heap.refusal { remarks.append("Leaks were not looked for: \(refusal).") }
      remarks += heap.notes
      if diagnosis.excludedLeaks > 0 { remarks.append(ExcludedLeaks(count: diagnosis.excludedLeaks).sentence) }
    }
    if names.problems.isEmpty { return remarks }
    let late = "Late deallocations and near misses are recognized by names and lines, so some may be missing."
    return remarks + names.problems + [late]
  }

  private var crashRemark: [String] {
    // SIGILL, SIGTRAP, SIGABRT, SIGBUS and SIGSEGV: what the use of a freed object may end in.
    guard !trace.recording.hasZombies, case .signal(let number) = trace.recording.end,
      [4, 5, 6, 7, 11].contains(number)
    else { return [] }
    return ["The program crashed, and uses of freed objects were not looked for: use 'lifeline check' or --zombies."]
  }

  private var keepRemark: [String] {
    guard let keep = trace.recording.keep, let baseLine = trace.baseLine else { return [] }
    let before = trace.recording.nanoseconds(at: baseLine.horizon)
    return [
      "The recording keeps its latest part (--keep \(keep.text)): events after \(Quantity.duration(before)) of the "
        + "run, and \(Quantity.count(Int(clamping: baseLine.events), "event"))"
        + " have been discarded. Older objects are known by class, allocation and count; their holders then are not."
        + " Retains, releases and peak live cover what is kept."
    ]
  }

  private var attachRemark: [String] {
    guard let age = trace.recording.age else { return [] }
    let older = diagnosis.summary.tracker.classes.reduce(0) { $0 + $1.older }
    let known =
      older == 0
      ? "No older object was used."
      : "\(Quantity.number(older)) \(older == 1 ? "older object was" : "older objects were") used: "
        + "their classes and counts are known, their allocations are not."
    return [
      "The recording began \(Quantity.duration(age)) after the process did. \(known) Retains from before "
        + "are not in the trace."
    ]
  }

  private var sampleRemark: [String] {
    let count = trace.recording.sample
    guard count > 1 else { return [] }
    let (choice, totals) =
      trace.recording.isSampledByChance
      ? ("by chance", ", except 'in all', which are estimates with their standard error")
      : ("by its address", "")
    return [
      "One object in \(Quantity.number(count)) was recorded, chosen \(choice) (\(trace.sampleOption)), "
        + "with its whole history. Numbers are those of the sample\(totals)."
        + " Classes without a sampled object are not listed."
    ] + budgetRemark
  }

  /// What was recorded when, if the recorder reduced its sample.
  private var budgetRemark: [String] {
    guard !trace.tables.sampleChanges.isEmpty else { return [] }
    let steps = trace.tables.sampleChanges.map {
      "one in \($0.denominator) from \(Quantity.duration(trace.recording.nanoseconds(at: $0.clock))) on"
    }
    return [
      "To stay below --max-overhead, fewer objects were recorded over time: \(steps.joined(separator: ", "))."
        + " Objects dropped on the way are left out, except where something was caught: "
        + "they are neither live nor leaked."
    ]
  }

  private var uncountedRemark: [String] {
    let uncounted = trace.classesWithoutRetains
    guard trace.recording.depth == .full, !uncounted.isEmpty else { return [] }
    let counted = Set(trace.tables.classes.values.map(\.name)).subtracting(uncounted).sorted()
    if counted.isEmpty { return ["Only allocations and frees were recorded (--retains)."] }
    let names =
      counted.prefix(8).joined(separator: ", ") + (counted.count > 8 ? " and \(counted.count - 8) more" : "")
    return [
      "Retains, releases, weak and unowned references were recorded for \(names) only (--retains); "
        + "for other classes, allocations and frees."
    ]
  }

  private var classes: [Report.Class] {
    let isFull = trace.recording.depth == .full
    let uncounted = Set(trace.classesWithoutRetains)
    return diagnosis.summary.tracker.classes.map {
      Report.Class(
        name: $0.name, allocated: $0.allocated, older: $0.older > 0 ? $0.older : nil, liveAtExit: $0.liveAtExit,
        peakLive: $0.peakLive,
        instanceSize: $0.instanceSize, retains: $0.retains, releases: $0.releases, countGaps: $0.gaps,
        liveOverTime: $0.liveOverTime,
        isCounted: isFull && !uncounted.contains($0.name) ? nil : false,
        allocatedInAll: estimate($0.name, \.allocated), liveAtExitInAll: estimate($0.name, \.liveAtExit))
    }.sorted { ($1.allocated, $0.name) < ($0.allocated, $1.name) }
  }

  private func estimate(_ name: String, _ which: KeyPath<SampleTotals.Class, SampleTotals.Estimate>) -> Report.Estimate?
  {
    diagnosis.sample?.classes[name].map {
      Report.Estimate(value: $0[keyPath: which].value, error: $0[keyPath: which].error)
    }
  }

  /// How many objects of each group of live ones are leaked; nil if that was not examined.
  private var lostByPlace: [LiveGroups.Place: Int]? {
    guard let heap = diagnosis.heap, heap.refusal == nil else { return nil }
    let tracker = diagnosis.summary.tracker
    var counts: [LiveGroups.Place: Int] = [:]
    for object in diagnosis.lostObjects.isEmpty ? [] : tracker.liveObjects {
      let id = tracker.id(of: object)
      if diagnosis.lostObjects.contains(id) {
        counts[LiveGroups.Place(className: id.className, allocation: object.allocation), default: 0] += 1
      }
    }
    return counts
  }

  private func group(_ entry: LiveGroups.Entry) -> Report.Live {
    let group = entry.group
    let sites = diagnosis.summary.tracker.backtraces.entries(group.allocation)
    return Report.Live(
      class: group.className, count: group.count, bytes: group.bytes, first: group.first.description,
      backtrace: names.backtrace(sites, role: Finding.Role.allocation.rawValue, thread: 0, event: 0), lost: entry.lost)
  }

  private var context: ReportContext {
    ReportContext(
      names: names, backtraces: diagnosis.backtraces, recording: trace.recording, lastEvent: diagnosis.summary.events,
      lastClock: diagnosis.summary.tracker.lastClock)
  }

  private func finding(_ finding: Finding) -> Report.Finding {
    let backtraces = finding.places.map { place in
      if place.role == .finalRelease, let row = finding.lifetime?.history.finalRelease {
        return context.backtrace(row, role: .finalRelease)
      }
      return names.backtrace(
        diagnosis.backtraces.entries(place.backtrace), role: place.role.rawValue, of: place.event)
    }
    let wording = FindingWording(
      finding, backtraces: backtraces,
      method: names.function(at: finding.access == .message ? finding.accessedAddress : 0), context: context)
    let others = finding.leak?.tests ?? []
    let test = backtraces.lazy.compactMap(\.test).first ?? others.first
    let tests = [test].compactMap { $0 } + others.filter { $0 != test }
    let held = (finding.sender?.lifetime ?? finding.lifetime)?.holds ?? []
    return Report.Finding(
      kind: finding.kind.rawValue, severity: finding.severity.rawValue, fingerprint: wording.fingerprint,
      title: wording.title, explanation: wording.explanation,
      object: Report.Object(id: finding.object.description, class: finding.object.className),
      access: finding.access?.rawValue, backtraces: backtraces, holds: held.prefix(100).map(context.hold),
      heldObject: finding.sender.flatMap { $0.lifetime == nil ? nil : $0.object?.description },
      path: wording.path, count: finding.leak.map { $0.similar + 1 } ?? finding.alike.count + 1,
      test: test, tests: tests.count > 1 ? tests : nil, suggestion: wording.suggestion)
  }

  /// Maximum number of lives drawn; those of errors and warnings come first.
  private static let timelineLimit = 40

  private var timelines: [Report.ObjectTimeline] {
    var roles: [(id: ObjectID, role: String)] = []
    func add(_ id: ObjectID?, _ role: String) {
      if let id, !roles.contains(where: { $0.id == id }) { roles.append((id, role)) }
    }
    for finding in diagnosis.findings {
      add(finding.object, "subject")
      add(finding.sender?.object, "sender")
    }
    let lifetimes = Dictionary(diagnosis.lifetimes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return roles.prefix(Self.timelineLimit).compactMap { entry in
      lifetimes[entry.id].map { context.timeline($0, role: entry.role) }
    }
  }

  private static let lifeLimit = 1000

  private var lives: [Report.ObjectSummary] {
    let tracker = diagnosis.summary.tracker
    let read = diagnosis.lifetimes.compactMap { lifetime -> Report.ObjectSummary? in
      guard let birth = lifetime.history.allocation else { return nil }
      let end = lifetime.history.free ?? lifetime.history.deallocation
      return life(
        lifetime.id, bytes: Int(truncatingIfNeeded: birth.event.argument1), birth.event,
        context.backtrace(birth, role: .allocation),
        end: end?.event.sequence, verdict: lifetime.timing.name)
    }
    let known = Set(diagnosis.lifetimes.map(\.id))
    let live = tracker.liveObjects.lazy.filter { !known.contains(tracker.id(of: $0)) }.prefix(Self.lifeLimit).map {
      object in
      var event = Event()
      event.sequence = object.allocationSequence
      event.clock = object.allocationClock
      event.thread = object.allocationThread
      let sites = tracker.backtraces.entries(object.allocation)
      let backtrace = names.backtrace(
        sites, role: Finding.Role.allocation.rawValue, thread: event.thread, event: event.sequence)
      return life(tracker.id(of: object), bytes: Int(object.size), event, backtrace, end: nil, verdict: "never")
    }
    return Array((read + live).sorted { $0.allocatedEvent < $1.allocatedEvent }.prefix(Self.lifeLimit))
  }

  private func life(
    _ id: ObjectID, bytes: Int, _ birth: Event, _ backtrace: Report.Backtrace, end: UInt64?, verdict: String
  ) -> Report.ObjectSummary {
    // An allocation of the class's own size does not repeat it.
    let size =
      bytes > 0 ? bytes : diagnosis.summary.tracker.classes.first { $0.name == id.className }?.instanceSize ?? 0
    return Report.ObjectSummary(
      id: id.description, class: id.className, bytes: size, allocatedEvent: birth.sequence,
      allocatedTime: trace.recording.nanoseconds(at: birth.clock), thread: backtrace.thread,
      function: backtrace.responsible?.function ?? "", location: backtrace.location, endEvent: end, verdict: verdict)
  }
}
