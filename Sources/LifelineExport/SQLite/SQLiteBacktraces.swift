import LifelineReporting
import LifelineTrace

/// Writes the tables `backtraces` and `frames`.
struct SQLiteBacktraces {
  private struct FrameKey: Hashable {
    let frame: CallFrame
    let inlinedInto: Int
  }

  private let table: BacktraceTable
  private let names: Names
  private let backtraces: SQLiteInsertion
  private let frames: SQLiteInsertion
  private var ids: [FrameKey: Int] = [:]
  /// By site: its innermost frame, and its innermost one with a line of the program's own, or 0.
  private var sites: [UInt64: (frame: Int, place: Int)] = [:]

  init(_ database: SQLiteDatabase, _ table: BacktraceTable, names: Names) throws {
    self.table = table
    self.names = names
    backtraces = try database.insertion(into: "backtraces", columns: 4)
    frames = try database.insertion(into: "frames", columns: 8)
  }

  /// - Throws: `ExportError`.
  mutating func write() throws {
    let nothing = try frame(.unknown, inlinedInto: 0)
    try backtraces.add(SQLiteValue(0), .null, SQLiteValue(nothing), .null)
    // A caller's number is lower than that of what it calls.
    var places = [0]
    places.reserveCapacity(table.count)
    for number in 1..<max(1, table.count) {
      let id = BacktraceID(rawValue: UInt32(number))
      let caller = table.caller(of: id)
      let site = try site(table.innermost(of: id)!)
      let place = site.place == 0 ? places[Int(caller.rawValue)] : site.place
      places.append(place)
      try backtraces.add(
        SQLiteValue(number), caller == .empty ? .null : SQLiteValue(caller.rawValue), SQLiteValue(site.frame),
        place == 0 ? .null : SQLiteValue(place))
    }
  }

  private mutating func site(_ entry: BacktraceEntry) throws -> (frame: Int, place: Int) {
    if let known = sites[entry.word] { return known }
    var outer = 0
    var place = 0
    for frame in names.callFrames(entry).reversed() {
      outer = try self.frame(frame, inlinedInto: outer)
      if !frame.isSystem, frame.file != nil, frame.line ?? 0 > 0 { place = outer }
    }
    sites[entry.word] = (outer, place)
    return (outer, place)
  }

  private mutating func frame(_ frame: CallFrame, inlinedInto outer: Int) throws -> Int {
    let key = FrameKey(frame: frame, inlinedInto: outer)
    if let known = ids[key] { return known }
    let id = ids.count + 1
    ids[key] = id
    try frames.add(
      SQLiteValue(id), SQLiteValue(name: frame.function), SQLiteValue(name: frame.mangledName),
      SQLiteValue(name: frame.file), SQLiteValue(frame.line),
      SQLiteValue(name: frame.image), SQLiteValue(frame.isSystem), outer == 0 ? .null : SQLiteValue(outer))
    return id
  }
}
