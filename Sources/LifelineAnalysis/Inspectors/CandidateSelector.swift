import LifelineLifetimes
import LifelineTrace

/// Selects the objects whose full histories are worth a second reading: freed objects that were used, objects whose
/// code used them, objects that a transient framework activity ended, and objects to which a property refers without
/// owning them.
struct CandidateSelector {
  private(set) var objects: Set<ObjectID> = []
  /// The calls of activities in which objects died.
  private(set) var calls: Set<CallWatch> = []
  /// By the event of the access.
  private(set) var senders: [UInt64: Sender] = [:]
  /// Further objects that died at the same place as a suspect, by the last suspect there.
  private(set) var similar: [ObjectID: Int] = [:]

  /// Maximum number of histories read for late deallocations; the rest are counted.
  private static let limit = 512
  /// Maximum number of histories read for near misses during a running function's hold.
  private static let referredLimit = 64

  init(_ summary: LifetimeSummary, _ tables: TraceTables, names: any CodeNaming, rules: HoldRules, classes: ClassTable)
  {
    let sites = CallSiteTable(summary.tracker.backtraces, tables, names: names, rules: rules)
    let inspector = SenderInspector(sites: sites, classes: classes)
    for access in summary.tracker.accesses {
      objects.insert(access.object)
      guard
        let sender = inspector.sender(access, tables) ?? inspector.shownSender(access)
          ?? inspector.sender(of: access.object, at: access.backtrace, among: access.live)
      else { continue }
      senders[access.event.sequence] = sender
      if let activity = sites.site(access.backtrace).activity, activity.rule.scope == .call {
        calls.insert(
          CallWatch(thread: access.event.thread, words: sites.outermost(activity.depth, of: access.backtrace)))
      }
      if let object = sender.object { objects.insert(object) }
    }
    for retain in summary.tracker.dyingRetains { objects.insert(retain.object) }
    var room = Self.limit
    for group in summary.tracker.finalReleases.groups {
      guard let site = sites.passingSite(group.backtrace), let rule = site.rule ?? site.runner,
        rule.scope != .owner
      else { continue }
      let samples = group.samples.prefix(room)
      room -= samples.count
      for sample in samples {
        objects.insert(sample.object)
        if rule.scope == .call, site.rule != nil {
          calls.insert(CallWatch(thread: sample.thread, words: sites.outermost(site.depth, of: group.backtrace)))
        }
      }
      if let last = samples.last, group.count > samples.count { similar[last.object] = group.count - samples.count }
    }
    var referred = Self.referredLimit
    for group in summary.tracker.finalReleases.groups where referred > 0 {
      let samples = group.samples.filter { classes.isReferredTo($0.object.className) }.prefix(referred)
      referred -= samples.count
      objects.formUnion(samples.map(\.object))
    }
  }
}
