import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Everything concluded from one trace.
public struct Diagnosis {
  public let summary: LifetimeSummary
  public let findings: [Finding]
  /// Objects that outlived their last owner without any consequence, which are not findings.
  public let late: [Finding]
  /// The lifetimes of the findings' objects, in order of allocation.
  public let lifetimes: [ObjectLifetime]
  public let verdict: Verdict
  /// Why the recording could not show that the run was clean, whatever was found; nil if it could.
  public let obstacle: String?
  /// The heap at the end; nil if it was not examined.
  public let heap: HeapSnapshot?
  /// The events that stored the references to each leaked object, where they are known, and who has those.
  public let stores: [ObjectID: [UInt64: Holder]]
  /// Unreachable objects.
  public let lostObjects: Set<ObjectID>
  /// Leaks that consist only of classes excluded from the recording.
  public let excludedLeaks: Int
  /// What keeps how much at the end; nil if the heap was not examined.
  public let retained: RetainedTree?
  /// Totals of the whole run, estimated from a sample; nil if all objects were recorded, or if their addresses decided
  /// which were (`--max-overhead`).
  public let sample: SampleTotals?
  /// Whether the only obstacle is that the process had no recorded object.
  public let isOnlyEmpty: Bool
  /// Classes of objects that only closures keep at the end, and to which a property refers without owning them.
  public let keptByClosures: Set<String>
  /// Backtraces that the findings refer to.
  public let backtraces: BacktraceTable

  /// Reads the trace once, and again if the full history of an object is needed.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public init(
    _ trace: Trace, heap: HeapSnapshot? = nil, names: any CodeNaming, rules: HoldRules = HoldRules(),
    progress: ((UInt64) -> Void)? = nil
  ) throws {
    summary = try LifetimeSummary(trace, progress: progress)
    // A program uses few addresses much more often than others, so a sample of addresses says nothing about the rest.
    let denominator = trace.recording.sample
    sample =
      denominator > 1 && trace.recording.isSampledByChance
      ? SampleTotals(summary.tracker.classes, denominator: denominator) : nil
    let classes = ClassTable(trace.tables, summary.tracker.classes, names: names)
    let suspects = CandidateSelector(summary, trace.tables, names: names, rules: rules, classes: classes)
    var lost: LeakInspector?
    var heap = heap
    if let seen = heap, seen.refusal == nil {
      let sites = CallSiteTable(summary.tracker.backtraces, trace.tables, names: names, rules: rules)
      let whole = seen.keepingMainTask { sites.function(at: $0)?.mangledName }
        .keepingLastingVariables(trace, summary.tracker, sites)
        .namingObserved(names.observedProperties, superclasses: names.superclasses)
      heap = whole
      let chosen = ChosenObjects(trace.recording, summary.tracker)
      lost = LeakInspector(
        whole.graph, summary.tracker, isSample: trace.recording.sample > 1, chosen: chosen, sites: sites,
        classes: classes)
    }
    self.heap = heap
    lostObjects = lost?.lostObjects ?? []
    excludedLeaks = lost?.excluded ?? 0
    retained = lost?.retained
    let living = LivingMissInspector(heap, summary.tracker, classes)
    keptByClosures = Set(living.objects.map(\.className))
    let objects = suspects.objects.union(lost?.objects ?? [])
      .union(trace.recording.depth == .full ? living.objects : [])
    let counterparts = CounterpartSelector(lost?.leaks.lazy.compactMap(\.first) ?? [], summary.tracker)
    let wanted = objects.union(counterparts.objects)
    var reader = HistoryReader(trace, rowLimit: LongHistory.rowLimit)
    let histories =
      wanted.isEmpty
      ? []
      : try reader.histories(
        of: wanted, calls: suspects.calls, watched: classes.users(of: Set(objects.map(\.className))),
        untilFreed: summary.tracker.accesses.isEmpty && lost?.leaks.isEmpty != false)
    backtraces = reader.backtraces
    let sites = CallSiteTable(reader.backtraces, trace.tables, names: names, rules: rules)
    let inspector = HoldInspector(sites: sites, classes: classes)
    var lives = Dictionary(histories.map { ($0.id, inspector.lifetime($0)) }, uniquingKeysWith: { first, _ in first })

    let access = AccessInspector(lives, dying: DyingInspector(sites: sites, classes: classes))
    var errors = access.findings(summary.tracker.accesses, summary.tracker.backtraces)
    errors += access.races(summary.tracker.dyingRetains, besides: errors)
    let counter = HandCountInspector(sites: sites, classes: classes)
    let captures = CaptureInspector(sites: sites, classes: classes)
    var harmful: Set<ObjectID> = []
    for index in errors.indices {
      errors[index].lifetime = lives[errors[index].object]
      if [.overRelease, .useAfterFree].contains(errors[index].kind), let lifetime = errors[index].lifetime,
        let access = errors[index].place(.access)
      {
        errors[index].handCounts = counter.counts(
          lifetime, before: access.event.sequence, isSurplus: errors[index].kind == .overRelease)
        if errors[index].handCounts.isEmpty {
          let releases = counter.releases(lifetime, before: access.event.sequence)
          errors[index].hasHandReleases = !releases.isEmpty
          errors[index].handReleases = releases.filter { !counter.isMadeByAllocatingFunction($0, lifetime) }
        }
      }
      if errors[index].handCounts.isEmpty, !errors[index].hasHandReleases, captures.isByOwner(errors[index]) {
        errors[index].isByOwner = true
        errors[index].hasHandReleases = true
        errors[index].handReleases = captures.strayRelease(errors[index]).map { [$0] } ?? []
      }
      if [.useAfterFree, .unownedAfterDeinit].contains(errors[index].kind) {
        errors[index].capturer = captures.capturer(errors[index])
        errors[index].possibleReference = captures.possibleReference(errors[index])
      }
      if let intruder = errors[index].lifetime?.intruder,
        intruder.event.sequence == errors[index].place(.access)?.event.sequence
      {
        captures.explainRace(&errors[index])
      }
      guard let place = errors[index].place(.access), var sender = suspects.senders[place.event.sequence] else {
        continue
      }
      if let object = sender.object, let lifetime = lives[object] {
        let access = errors[index].lifetime?.history.rows.first { $0.event.sequence == place.event.sequence }
        if lifetime.lateDeallocation == nil {
          lives[object]!.lateDeallocation = access.flatMap { inspector.ongoingLateDeallocation(lifetime, at: $0) }
        }
        sender.lifetime = lives[object]
        if let late = sender.lifetime?.lateDeallocation, late.contains(place.event.sequence) { harmful.insert(object) }
      }
      if errors[index].kind == .useAfterFree, !sender.isShown, sender.property != nil {
        errors[index].possibleReference = errors[index].possibleReference ?? sender
        sender.property = nil
      }
      errors[index].sender = sender
    }
    let uncounted = trace.tables.classes.values.filter { trace.recording.depth == .lives || !$0.isCounted }
    var (leaks, stored) = lost?.findings(lives, sites, uncounted: Set(uncounted.map(\.name))) ?? ([], [:])
    for history in histories {
      guard let events = stored[history.id], let before = lives[history.id] else { continue }
      var lifetime = inspector.lifetime(history, stored: events)
      lifetime.lateDeallocation = lifetime.lateDeallocation ?? before.lateDeallocation
      lives[history.id] = lifetime
    }
    var tests = TestFinder(names: names)
    let freed = CounterpartInspector(lifetimes: lives, sites: sites, classes: classes, selector: counterparts)
    for index in leaks.indices {
      leaks[index].lifetime = lives[leaks[index].object]
      if var leak = leaks[index].leak {
        freed.complete(&leak, of: leaks[index].object)
        leaks[index].leak = leak
      }
      let births = leaks[index].leak?.births ?? []
      let own = summary.tracker.liveObject(at: leaks[index].object.address)?.allocation
      leaks[index].leak?.tests = tests.tests(of: births, first: own, in: summary.tracker.backtraces)
    }
    stores = stored
    lifetimes = histories.filter { objects.contains($0.id) }.compactMap { lives[$0.id] }
    let isWhole =
      !trace.recording.isFiltered && trace.recording.sample == 1 && trace.baseLine == nil
      && trace.recording.age == nil
    let users = isWhole ? reader.presences : nil
    let misser = NearMissInspector(sites: sites, classes: classes, users: users)
    let misses = lifetimes.compactMap(misser.finding) + living.findings(lifetimes, misser)
    let missed = Set(misses.map(\.object))
    let judge = ConsequenceInspector(sites: sites, classes: classes, trace: trace)
    let all = lifetimes.compactMap { lifetime in
      LateDeallocationInspector(classes: classes).finding(
        lifetime,
        judge.consequences(lifetime, isHarmful: harmful.contains(lifetime.id), isMissed: missed.contains(lifetime.id)),
        similar: suspects.similar[lifetime.id] ?? 0)
    }
    let listed = all.filter(\.isWorthTelling)
    late = all.filter { !$0.isWorthTelling }
    var alike = AlikeFindings(sites, reader.backtraces, names: names)
    findings =
      errors + leaks + alike.together(misses) + alike.together(listed.filter { $0.severity == .warning })
      + alike.together(listed.filter { $0.severity == .note })
    let completeness = RecordingCompleteness(trace, summary)
    obstacle = completeness.sentence
    isOnlyEmpty = completeness.isOnlyEmpty
    verdict = findings.contains { $0.severity == .error } ? .findings : obstacle.map { .none($0) } ?? .clean
  }
}
