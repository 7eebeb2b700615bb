import LifelineLifetimes
import LifelineTrace

/// Finds the consequences of an object's late deallocation.
///
/// A program gives away what it captures in a block, task or operation, so that using the object there is intended. An
/// activity that merely runs meanwhile, such as a notification's post, was not given the object.
struct ConsequenceInspector {
  let sites: CallSiteTable
  let classes: ClassTable
  let trace: Trace

  func consequences(_ lifetime: ObjectLifetime, isHarmful: Bool, isMissed: Bool) -> [Consequence] {
    guard let late = lifetime.lateDeallocation else { return [] }
    var found: [Consequence] = []
    if isHarmful { found.append(.harm) }
    if isMissed { found.append(.nearMiss) }
    let work = self.work(lifetime, late)
    if !work.isEmpty { found.append(.work(work)) }
    if let moved = moved(lifetime, late) { found.append(moved) }
    return found
  }

  /// What the compiler frees is freed the same way on any thread; only a handwritten deinit can depend on where it
  /// runs.
  private func moved(_ lifetime: ObjectLifetime, _ late: LateDeallocation) -> Consequence? {
    guard let final = late.finalRelease, isElsewhere(final, than: late.ownerRelease), !isIsolated(lifetime),
      executor(lifetime.history.deallocation ?? final) == executor(final),
      !isOneActor(late.ownerRelease, final), !isHandedOver(lifetime, late), !trace.isTestRun || isBound(lifetime, late)
    else { return nil }
    if classes.hasWrittenDeinit(lifetime.id.className) { return .elsewhere(executor(final), of: nil) }
    return lifetime.history.classesEndedWithin.sorted().first(where: classes.hasWrittenDeinit).map {
      .elsewhere(executor(final), of: $0)
    }
  }

  /// Whether one call gave the object to an activity and released the owner's reference, perhaps by a setter: it gave
  /// the object away. Not the main function, in which the two may be far apart.
  ///
  /// Of several references that an activity holds, for example an operation's and that of the block which starts it,
  /// which one is released last differs from run to run.
  private func isHandedOver(_ lifetime: ObjectLifetime, _ late: LateDeallocation) -> Bool {
    guard case .activity(let rule) = late.kept.holder, rule.scope == .reference else { return false }
    let released = sites.programCall(late.ownerRelease.backtrace, skippingAccessors: true)
    return lifetime.holds.contains { hold in
      guard case .activity(let other) = hold.holder, other.scope == .reference,
        hold.holds(at: late.ownerRelease.event.sequence), sites.taker(hold.retain.backtrace)?.function != "main",
        let giver = sites.programCall(hold.retain.backtrace, skippingAccessors: true)
      else { return false }
      return giver == released
    }
  }

  /// Whether nothing shows that the object was meant for several executors: until its owner released it, all of its
  /// events were on the owner's, and no closure of its own class ever ran on another one.
  private func isBound(_ lifetime: ObjectLifetime, _ late: LateDeallocation) -> Bool {
    let own = classes.shortLineage(lifetime.id.className)
    return lifetime.history.rows.allSatisfy { row in
      if !isElsewhere(row, than: late.ownerRelease) { return true }
      if row.event.sequence < late.ownerRelease.event.sequence { return false }
      return !sites.facts(row.backtrace).joined().contains { facts in
        facts.name.isClosure && facts.name.typeName.map(own.contains) == true
      }
    }
  }

  private func executor(_ row: HistoryRow) -> Executor {
    if isMain(row) { return .main }
    return trace.queueLabel(row.event.queue).map { .queue($0) } ?? .background
  }

  private func isMain(_ row: HistoryRow) -> Bool {
    trace.isMainThread(row.event.thread) || trace.isMainQueue(row.event.queue)
  }

  /// Whether code that expects another row's executor, if any, does not expect this one's. Threads of a pool have no
  /// executor; the main thread may run a queue's code, and then has both.
  private func isElsewhere(_ row: HistoryRow, than other: HistoryRow) -> Bool {
    if isMain(row) && isMain(other) { return false }
    let queue = trace.queueLabel(other.event.queue)
    if let queue { return trace.queueLabel(row.event.queue) != queue }
    return isMain(row) || isMain(other)
  }

  /// Whether both may be on the main actor: an asynchronous main function leaves the main thread when it first waits,
  /// and the main queue, if it is not known to, continues on another one.
  private func isOneActor(_ row: HistoryRow, _ other: HistoryRow) -> Bool {
    !trace.recording.knowsQueues && row.event.task != 0 && other.event.task != 0
  }

  /// Whether the deinit runs on an executor of its own choice, wherever the last reference was released.
  private func isIsolated(_ lifetime: ObjectLifetime) -> Bool {
    guard let end = lifetime.history.deallocation ?? lifetime.history.free else { return false }
    return sites.facts(end.backtrace).joined().contains { facts in
      facts.frame.function.hasPrefix("swift_task_deinitOnExecutor")
        || facts.frame.function.hasSuffix(".__isolated_deallocating_deinit")
        || facts.frame.function.contains("IsolatedDeinitJob")
    }
  }

  /// The activities that were given the object, one bit each.
  private func given(_ lifetime: ObjectLifetime, _ rule: HoldRule, at row: HistoryRow) -> UInt64 {
    lifetime.holding(at: row.event.sequence).reduce(rule.scope == .reference ? sites.bit(rule) : 0) { bits, hold in
      guard case .activity(let other) = hold.holder, other.scope == .reference else { return bits }
      return bits | sites.bit(other)
    }
  }

  /// The first event in each of the object's own methods that ran after its last owner released it.
  private func work(_ lifetime: ObjectLifetime, _ late: LateDeallocation) -> [Consequence.Work] {
    guard case .activity(let rule) = late.kept.holder else { return [] }
    let own = classes.shortLineage(lifetime.id.className)
    var known: Set<String> = []
    return lifetime.history.rows.compactMap { row in
      guard late.contains(row.event.sequence), !row.isFinalRelease else { return nil }
      let given = given(lifetime, rule, at: row) | (late.isOfNotification ? sites.bit(rule) : 0)
      if sites.site(row.backtrace).around & given != 0 { return nil }
      let method = sites.facts(row.backtrace).joined().first { facts in
        guard !facts.isLibrary, facts.name.role != .deinitializer, facts.name.role != .glue,
          let typeName = facts.name.typeName
        else { return false }
        return own.contains(typeName)
      }
      guard let name = method?.frame.function, known.insert(name).inserted else { return nil }
      return Consequence.Work(function: name, row: row)
    }
  }
}
