import LifelineLifetimes
import LifelineTrace

/// Finds, in a trace of depth lives, the classes whose objects may have outlived their last owner, or been used without
/// an owner; only their retains can show that.
public struct UnsureEndInspector {
  /// Full names of classes.
  public struct Classes: Sendable {
    /// Objects were freed by a transient framework activity, or by a closure that one ran.
    public internal(set) var passing: Set<String> = []
    /// Objects were freed by a function of the program that may have held them itself, and a property refers to such
    /// objects without owning them.
    public internal(set) var local: Set<String> = []
    /// Objects are alive at the end and kept only by closures; a property refers to such objects without owning them.
    public internal(set) var kept: Set<String> = []
    /// Closure contexts, if there are other classes or some were freed like `passing`. None of them is ever late, but
    /// where other objects are looked at, theirs are the references, and when they were created matters.
    public internal(set) var contexts: Set<String> = []

    public init(merging classes: [Classes] = []) {
      passing = classes.reduce(into: []) { $0.formUnion($1.passing) }
      local = classes.reduce(into: []) { $0.formUnion($1.local) }
      kept = classes.reduce(into: []) { $0.formUnion($1.kept) }
      contexts = classes.reduce(into: []) { $0.formUnion($1.contexts) }
    }
  }

  private let trace: Trace
  private let names: any CodeNaming
  private let rules: HoldRules

  public init(_ trace: Trace, names: any CodeNaming, rules: HoldRules) {
    self.trace = trace
    self.names = names
    self.rules = rules
  }

  private struct End: Hashable {
    let backtrace: BacktraceID
    let classID: Int
  }

  /// `kept` are the classes that closures keep alive, according to a diagnosis.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func classes(kept: Set<String> = []) throws -> Classes {
    let reader = trace.events()
    var backtraces = BacktraceTable()
    var lives: [UInt64: Int] = [:]
    var ends: Set<End> = []
    var event = Event()
    while try reader.next(&event) {
      if event.kind == .allocate {
        lives[event.object] = Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)
      } else if event.kind == .free || event.kind == .deallocate, let classID = lives.removeValue(forKey: event.object)
      {
        ends.insert(End(backtrace: reader.intern(into: &backtraces), classID: classID))
      }
    }
    let sites = CallSiteTable(backtraces, trace.tables, names: names, rules: rules)
    let table = ClassTable(trace.tables, [], names: names)
    var referred: [Int: Bool] = [:]
    var classes = Classes()
    classes.kept = kept
    var contexts: Set<String> = []
    for end in ends {
      guard let name = trace.tables.classes[end.classID]?.name else { continue }
      if table.isContext(name) { contexts.insert(name) }
      if sites.isPassingEnd(end.backtrace) {
        if table.isContext(name) { classes.contexts.insert(name) } else { classes.passing.insert(name) }
      }
      let isReferred = referred[end.classID] ?? table.isReferredTo(name)
      referred[end.classID] = isReferred
      if isReferred, sites.isLocalEnd(end.backtrace, lineage: table.shortLineage(name)) { classes.local.insert(name) }
    }
    if !classes.passing.union(classes.local).union(kept).isEmpty { classes.contexts.formUnion(contexts) }
    return classes
  }
}
