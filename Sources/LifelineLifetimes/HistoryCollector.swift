import LifelineTrace

/// Gives events to the histories of the objects that are wanted, and knows which objects are dying meanwhile.
struct HistoryCollector {
  private struct Open {
    let id: ObjectID
    var rows: [HistoryRow] = []
    var ledger: Int64 = 1
    var deiniting = false
  }

  private let wanted: Set<ObjectID>
  private let wantedNames: Set<String>
  private var wantedAddresses: Set<UInt64>
  private let classes: [Int: ClassRecord]
  private var names: [Int: String] = [:]
  private var numbers: [String: Int] = [:]
  /// Index of the open history at an address.
  private var open: [UInt64: Int] = [:]
  private var all: [Open] = []
  /// Who lives at an address: class id and number.
  private var identities: [UInt64: (classID: Int, number: Int)] = [:]
  /// Objects whose deinit runs, by thread, the innermost last.
  private var dying: [UInt32: [UInt64]] = [:]

  init(wanted: Set<ObjectID>, classes: [Int: ClassRecord]) {
    self.wanted = wanted
    self.classes = classes
    wantedNames = Set(wanted.map(\.className))
    wantedAddresses = Set(wanted.lazy.filter { $0.number == 0 }.map(\.address))
  }

  var histories: [ObjectHistory] { all.map { ObjectHistory(id: $0.id, rows: $0.rows) } }

  /// Takes an event with an object; the index of the history that it belongs to, if that is wanted.
  mutating func take(_ event: Event) -> Int? {
    switch event.kind {
    case .allocate: allocate(event)
    case .release where event.count == 0, .releaseN where event.count == 0:
      if dying[event.thread]?.last != event.object { dying[event.thread, default: []].append(event.object) }
    case .deallocate:
      // Whatever began later on the thread and never ended is over too: a deinit cannot outlast the one around it.
      if let index = dying[event.thread]?.lastIndex(of: event.object) { dying[event.thread]!.removeSubrange(index...) }
    default: break
    }
    if let known = open[event.object] { return known }
    guard wantedAddresses.contains(event.object) else { return nil }
    var object = Open(id: ObjectID(className: "", number: 0, address: event.object))
    object.ledger = event.count >= 0 ? event.count &- event.strongChange : 1
    open[event.object] = all.count
    all.append(object)
    return all.count - 1
  }

  private mutating func allocate(_ event: Event) {
    open[event.object] = nil
    wantedAddresses.remove(event.object)
    let classID = Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)
    let name = name(classID)
    let number = numbers[name, default: 0] + 1
    numbers[name] = number
    identities[event.object] = (classID, number)
    guard wantedNames.contains(name) else { return }
    let id = ObjectID(className: name, number: number, address: event.object)
    guard wanted.contains(id) else { return }
    open[event.object] = all.count
    all.append(Open(id: id))
  }

  private mutating func name(_ classID: Int) -> String {
    if let known = names[classID] { return known }
    let name = classes[classID]?.name ?? "(class \(classID))"
    names[classID] = name
    return name
  }

  mutating func append(_ event: Event, _ backtrace: BacktraceID, callStart: UInt64?, to index: Int) {
    var row = HistoryRow(event: event, backtrace: backtrace)
    row.dying = dyingObject(on: event.thread, besides: event.object)
    row.callStart = callStart
    if event.kind != .allocate { all[index].ledger &+= event.strongChange }
    if event.count >= 0 {
      row.isAfterGap = event.count != all[index].ledger
      all[index].ledger = event.count
      if event.count == 0, event.strongChange < 0, !all[index].deiniting {
        all[index].deiniting = true
        row.isFinalRelease = true
      }
    }
    all[index].rows.append(row)
  }

  private mutating func dyingObject(on thread: UInt32, besides object: UInt64) -> ObjectID? {
    guard let address = dying[thread]?.last(where: { $0 != object }), let identity = identities[address] else { return nil }
    return ObjectID(className: name(identity.classID), number: identity.number, address: address)
  }
}
