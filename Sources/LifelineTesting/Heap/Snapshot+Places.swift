import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

extension Snapshot {
  /// "GraphTests.swift:12 in makeCycle()": the innermost code of the program's own, without the library's.
  func place(_ sites: [BacktraceEntry]) -> String {
    let frames = sites.filter(\.isFrame).flatMap { symbolicator.frames(at: $0.lookupAddress) }.filter {
      !$0.isSystem && !Self.isOwn($0) && !$0.function.contains("__allocating_init(")
    }
    .filter { !($0.file?.contains("@__swiftmacro") ?? false) }
    guard let function = frames.first else { return "unknown code" }
    guard let located = frames.first(where: { $0.line != nil && $0.file != nil }), let file = located.file,
      let line = located.line
    else {
      return function.function
    }
    return "\(file.split(separator: "/").last ?? ""):\(line) in \(located.function)"
  }

  func place(_ backtrace: BacktraceID) -> String { place(tracker.backtraces.entries(backtrace)) }

  /// Code of Lifeline and LifelineTesting, linked into the program.
  private static func isOwn(_ frame: SymbolicatedFrame) -> Bool {
    let name = frame.mangledName ?? ""
    return name.hasPrefix("$s8Lifeline") || name.hasPrefix("$s15LifelineTesting") || name.contains("15LifelineTesting")
  }

  /// Where the object was retained without a matching release, oldest first.
  func openRetains(of id: ObjectID) throws -> [String] {
    var reader = HistoryReader(trace)
    guard let history = try reader.histories(of: [id]).first else { return [] }
    var places: [UInt64: UInt64] = [:]
    let pairing = Pairing(history) { row in
      let sites = reader.backtraces.entries(row.backtrace).filter(\.isFrame)
      // Handwritten code, not the runtime, nor the allocating initializer (mangled …fC) that it calls.
      let outside =
        sites.firstIndex {
          trace.tables.image(at: $0.address)?.path != trace.tables.runtimePath && !isAllocatingInitializer($0)
        } ?? 0
      guard outside < sites.count else { return .init(function: 0, caller: 0) }
      // From the outermost frame inwards.
      var callers = FNV1a()
      var around: [UInt64] = []
      defer { places[row.event.sequence] = function(sites[outside]) &* 0x9E37_79B9_7F4A_7C15 ^ callers.value }
      for site in sites[(outside + 1)...].reversed() {
        around.append(function(site) &* 0x9E37_79B9_7F4A_7C15 ^ callers.value)
        callers.add(site.word)
      }
      return .init(
        function: function(sites[outside]), caller: callers.value, enclosing: around.reversed(),
        image: trace.tables.image(at: sites[outside].address)?.id ?? 0)
    }
    return Self.likeliest(pairing, of: history, places).reduce(into: []) { places, row in
      let place = place(reader.backtraces.entries(history.rows[row].backtrace))
      if !places.contains(place) { places.append(place) }
    }
  }

  /// The retains whose references remained.
  ///
  /// Of several by one call, the pairing assigns the newest retain to the last release. But the last release is that of
  /// a variable, which is older than the property that stores the object, so the two are swapped.
  private static func likeliest(_ pairing: Pairing, of history: ObjectHistory, _ places: [UInt64: UInt64]) -> [Int] {
    func place(_ row: Int) -> UInt64? { places[history.rows[row].event.sequence] }
    var pairs = pairing.pairs.sorted { $0.release > $1.release }
    let retains = pairing.unpairedRetains.sorted(by: >).map { open -> Int in
      guard let index = pairs.firstIndex(where: { $0.retain > open && place($0.retain) == place(open) }) else {
        return open
      }
      return pairs.remove(at: index).retain
    }
    return retains.sorted()
  }

  /// The place of an object's final release.
  func deathPlace(of id: ObjectID) throws -> String? {
    var reader = HistoryReader(trace)
    guard let row = try reader.histories(of: [id]).first?.finalRelease else { return nil }
    return place(reader.backtraces.entries(row.backtrace))
  }

  private func isAllocatingInitializer(_ site: BacktraceEntry) -> Bool {
    symbolicator.symbol(at: site.lookupAddress)?.name.hasSuffix("fC") ?? false
  }

  /// Identity of the function at a site.
  ///
  /// The parts of an asynchronous function count as one: their names end in TY or TQ, a number and "_"
  /// (swift/docs/ABI/Mangling.rst).
  private func function(_ site: BacktraceEntry) -> UInt64 {
    guard let name = symbolicator.symbol(at: site.lookupAddress)?.name else { return site.address }
    let whole = name.firstRange(of: /T[YQ][0-9]*_$/).map { name[..<$0.lowerBound] } ?? name[...]
    return FNV1a(whole).value
  }
}
