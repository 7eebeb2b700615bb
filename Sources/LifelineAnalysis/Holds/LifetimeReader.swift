import LifelineLifetimes
import LifelineTrace

/// Reads the lifetimes of chosen objects and diagnoses them.
public struct LifetimeReader {
  public let lifetimes: [ObjectLifetime]
  /// Backtraces of their rows.
  public let backtraces: BacktraceTable
  private let sites: CallSiteTable
  private let classes: ClassTable
  /// The program's classes with stored properties.
  private let owners: [String]

  /// Reads the trace once, and again if an object died inside a call whose beginning matters.
  ///
  /// - Parameter stores: The events that stored the references to leaked objects, and who has them, from a `Diagnosis`.
  /// - Throws: `TraceError` if the file can no longer be read.
  public init(
    _ trace: Trace, _ summary: LifetimeSummary, objects: Set<ObjectID>, names: any CodeNaming,
    rules: HoldRules = HoldRules(), rowLimit: Int? = nil,
    stores: [ObjectID: [UInt64: Holder]] = [:]
  ) throws {
    let classes = ClassTable(trace.tables, summary.tracker.classes, names: names)
    var reader = HistoryReader(trace, rowLimit: rowLimit)
    var histories = try reader.histories(of: objects)
    var sites = CallSiteTable(reader.backtraces, trace.tables, names: names, rules: rules)
    var calls: Set<CallWatch> = []
    for final in histories.compactMap(\.finalRelease) {
      let site = sites.site(final.backtrace)
      guard site.rule?.scope == .call else { continue }
      calls.insert(CallWatch(thread: final.event.thread, words: sites.outermost(site.depth, of: final.backtrace)))
    }
    if !calls.isEmpty {
      reader = HistoryReader(trace, rowLimit: rowLimit)
      histories = try reader.histories(of: objects, calls: calls)
      sites = CallSiteTable(reader.backtraces, trace.tables, names: names, rules: rules)
    }
    let inspector = HoldInspector(sites: sites, classes: classes)
    lifetimes = histories.map { inspector.lifetime($0, stored: stores[$0.id] ?? [:]) }
    backtraces = reader.backtraces
    self.sites = sites
    self.classes = classes
    owners = names.storedProperties.keys.sorted()
  }

  /// What may have held the object during a function's hold as well: optimized code that took and released it on
  /// different lines may contain other functions that stored it meanwhile.
  public func hiddenHolders(of id: ObjectID, during hold: Hold) -> [Holder] {
    guard case .function = hold.holder, let release = hold.release, !sites.isMomentary(hold.retain, release),
      sites.isOptimized(hold.retain.backtrace) != false || sites.isOptimized(release.backtrace) != false
    else { return [] }
    let holders = owners.flatMap { owner in
      classes.properties(of: owner, referringTo: id.className, [.strong]).filter { $0.className == owner }.map {
        Holder.property(className: owner, property: $0.property.name, instance: nil)
      }
    }
    return holders + (classes.isStoredElsewhere(id.className) ? [.reference] : [])
  }
}
