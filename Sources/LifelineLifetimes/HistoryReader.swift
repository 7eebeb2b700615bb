import LifelineTrace

/// Collects the histories of chosen objects in one pass over a trace.
public struct HistoryReader {
  private let trace: Trace
  /// Backtraces of the rows.
  public private(set) var backtraces = BacktraceTable()

  public init(_ trace: Trace) { self.trace = trace }

  private struct Open {
    var id: ObjectID
    var rows: [HistoryRow] = []
    var ledger: Int64 = 1
    var deiniting = false

    mutating func append(_ event: Event, _ backtrace: BacktraceID) {
      var row = HistoryRow(event: event, backtrace: backtrace)
      if event.kind != .allocate { ledger &+= event.strongChange }
      if event.count >= 0 {
        row.isAfterGap = event.count != ledger
        ledger = event.count
        if event.count == 0, event.strongChange < 0, !deiniting {
          deiniting = true
          row.isFinalRelease = true
        }
      }
      rows.append(row)
    }
  }

  /// Histories in the order in which the objects were allocated; ids that do not occur are left out.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public mutating func histories(of wanted: Set<ObjectID>) throws -> [ObjectHistory] {
    let reader = trace.events()
    var event = Event()
    var names: [Int: String] = [:]
    var numbers: [String: Int] = [:]
    let wantedNames = Set(wanted.map(\.className))
    var wantedAddresses = Set(wanted.lazy.filter { $0.number == 0 }.map(\.address))
    var open: [UInt64: Int] = [:]
    var all: [Open] = []
    while try reader.next(&event) {
      if event.kind == .allocate {
        open[event.object] = nil
        wantedAddresses.remove(event.object)
        let classID = Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)
        let name = names[classID] ?? trace.tables.classes[classID]?.name ?? "(class \(classID))"
        names[classID] = name
        guard wantedNames.contains(name) else { continue }
        numbers[name, default: 0] += 1
        let id = ObjectID(className: name, number: numbers[name]!, address: event.object)
        guard wanted.contains(id) else { continue }
        open[event.object] = all.count
        all.append(Open(id: id))
      } else if event.object != 0, wantedAddresses.contains(event.object), open[event.object] == nil {
        open[event.object] = all.count
        var object = Open(id: ObjectID(className: "", number: 0, address: event.object))
        object.ledger = event.count >= 0 ? event.count &- event.strongChange : 1
        all.append(object)
      }
      guard event.object != 0, let index = open[event.object] else { continue }
      all[index].append(event, reader.intern(into: &backtraces))
    }
    return all.map { ObjectHistory(id: $0.id, rows: $0.rows) }
  }
}
