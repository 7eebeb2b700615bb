import LifelineLifetimes
import LifelineTrace

/// Finds, in a trace of depth lives, the classes whose objects were freed by a passing framework activity or by a
/// closure that one ran: only such objects can have outlived their last owner, and it takes their retains to say which
/// did.
public struct PassingEndInspector {
  private let trace: Trace
  private let names: any CodeNaming
  private let rules: HoldRules

  public init(_ trace: Trace, names: any CodeNaming, rules: HoldRules) {
    self.trace = trace
    self.names = names
    self.rules = rules
  }

  /// Full names of the classes.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public func classes() throws -> Set<String> {
    struct End: Hashable {
      let backtrace: BacktraceID
      let classID: Int
    }
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
    return Set(ends.compactMap { sites.isPassingEnd($0.backtrace) ? trace.tables.classes[$0.classID]?.name : nil })
  }
}
