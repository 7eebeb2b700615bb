import LifelineTrace

/// Finds the objects that a user refers to: "DetailViewController#1", "App.DetailViewController#1", "0x7f…",
/// "Node@0x7f…".
public struct ObjectQuery {
  private let text: String

  public init(_ text: String) { self.text = Self.blanks(text) }

  /// In the runtime's names, the blanks of raw identifiers are no-break spaces.
  private static func blanks(_ name: String) -> String {
    guard name.utf8.contains(0xA0) else { return name }
    return String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\u{A0}" ? " " : $0 }))
  }

  /// The matching ids, one or more for an address; throws a sentence with similar names if there are none.
  ///
  /// - Throws: `TraceError`.
  public func resolve(in trace: Trace, _ summary: LifetimeSummary) throws -> [ObjectID] {
    let place = text.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    if place.hasPrefix("0x"), let address = UInt64(place.dropFirst(2), radix: 16) {
      let found = try objects(at: address, in: trace).filter { place == text || Self.blanks($0.description) == text }
      if found.isEmpty { throw TraceError("No recorded object is at the address \(text).") }
      return found
    }
    guard let hash = text.lastIndex(of: "#"), let number = Int(text[text.index(after: hash)...]), number > 0 else {
      throw TraceError(
        "'\(text)' is not an object; write it as Class#number or as an address.\(suggestions(text, summary))")
    }
    let name = String(text[..<hash])
    let classes = summary.tracker.classes.filter {
      Self.blanks($0.name) == name || Self.blanks(ObjectID.short($0.name)) == name
    }
    guard !classes.isEmpty else {
      throw TraceError("There is no object of the class '\(name)' in the trace.\(suggestions(name, summary))")
    }
    let found = classes.filter { number <= $0.allocated }.map { ObjectID(className: $0.name, number: number) }
    if found.isEmpty {
      let count = classes.map(\.allocated).max() ?? 0
      throw TraceError(
        "There is no '\(text)': \(count) \(count == 1 ? "object of \(name) was" : "objects of \(name) were") "
          + "recorded, numbered from 1."
      )
    }
    return found
  }

  private func objects(at address: UInt64, in trace: Trace) throws -> [ObjectID] {
    let reader = trace.events()
    let tracker = LifetimeTracker(trace)
    var event = Event()
    var found: [ObjectID] = []
    while try reader.next(&event) {
      tracker.take(event, from: reader)
      if event.object == address, let id = tracker.object(at: address), found.last != id { found.append(id) }
    }
    return found
  }

  private func suggestions(_ name: String, _ summary: LifetimeSummary) -> String {
    let wanted = ObjectID.short(name.lowercased())
    let near = Set(summary.tracker.classes.map { ObjectID.short($0.name) })
      .map { (distance: Self.distance(wanted, of: $0.lowercased()), name: $0) }
      .filter { $0.distance <= max(3, wanted.count / 2) }
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
      .prefix(3).map { "\($0.name)#1" }
    return near.isEmpty ? "" : " Did you mean \(near.joined(separator: " or "))?"
  }

  /// The arguments of a generic class may be omitted.
  private static func distance(_ wanted: String, of name: String) -> Int {
    let whole = distance(wanted, name)
    guard !wanted.contains("<"), let end = name.firstIndex(of: "<") else { return whole }
    return min(whole, distance(wanted, String(name[..<end])))
  }

  /// Edit distance (Levenshtein).
  static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b.unicodeScalars)
    var row = Array(0...b.count)
    for (i, x) in a.unicodeScalars.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (x == y ? 0 : 1))
        diagonal = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[b.count]
  }
}
