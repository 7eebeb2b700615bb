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
      let births = CallSiteTable(summary.tracker.backtraces, trace.tables, names: names, rules: rules)
      let whole = seen.keepingMainTask { births.function(at: $0)?.mangledName }
        .keepingLastingVariables(trace, summary.tracker, births)
        .namingObserved(names.observedProperties, superclasses: names.superclasses)
      heap = whole
      lost = LeakInspector(
        whole.graph, summary.tracker, isSample: trace.recording.sample > 1,
        chosen: ChosenObjects(trace.recording, summary.tracker), sites: births, classes: classes)
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
    var explainer = ErrorExplainer(
      lives: lives, senders: suspects.senders, inspector: inspector, sites: sites, classes: classes)
    for index in errors.indices { explainer.explain(&errors[index]) }
    lives = explainer.lives
    let uncounted = trace.tables.classes.values.filter { trace.recording.depth == .lives || !$0.isCounted }
    var (leaks, stored) = lost?.findings(lives, sites, uncounted: Set(uncounted.map(\.name))) ?? ([], [:])
    for history in histories {
      guard let events = stored[history.id], let before = lives[history.id] else { continue }
      var lifetime = inspector.lifetime(history, stored: events)
      lifetime.lateDeallocation = lifetime.lateDeallocation ?? before.lateDeallocation
      lives[history.id] = lifetime
    }
    Self.complete(
      &leaks, lives, CounterpartInspector(lifetimes: lives, sites: sites, classes: classes, selector: counterparts),
      summary.tracker, names: names)
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
        judge.consequences(
          lifetime, isHarmful: explainer.harmful.contains(lifetime.id), isMissed: missed.contains(lifetime.id)),
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

  /// Adds to each leak its object's life, what ended that the object was made for, and the tests that made it.
  private static func complete(
    _ leaks: inout [Finding], _ lives: [ObjectID: ObjectLifetime], _ freed: CounterpartInspector,
    _ tracker: LifetimeTracker, names: any CodeNaming
  ) {
    var tests = TestFinder(names: names)
    for index in leaks.indices {
      let object = leaks[index].object
      leaks[index].lifetime = lives[object]
      guard var leak = leaks[index].leak else { continue }
      freed.complete(&leak, of: object)
      leak.tests = tests.tests(
        of: leak.births, first: tracker.liveObject(at: object.address)?.allocation, in: tracker.backtraces)
      leaks[index].leak = leak
    }
  }
}
