import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

extension Snapshot {
  /// "GraphTests.swift:12 in makeCycle()": the innermost code of the program's own, the library's left out.
  func place(_ sites: [Site]) -> String {
    let frames = sites.filter(\.isFrame).flatMap { symbolicator.frames(at: $0.lookupAddress) }.filter { !$0.isSystem && !Self.isOwn($0) }
    guard let function = frames.first else { return "unknown code" }
    guard let located = frames.first(where: { $0.line != nil && $0.file != nil }), let file = located.file, let line = located.line else {
      return function.function
    }
    return "\(file.split(separator: "/").last ?? ""):\(line) in \(located.function)"
  }

  func place(_ backtrace: BacktraceID) -> String { place(tracker.backtraces.sites(backtrace)) }

  /// Code of Lifeline and LifelineTesting, linked into the program.
  private static func isOwn(_ frame: SymbolicatedFrame) -> Bool {
    let name = frame.mangledName ?? ""
    return name.hasPrefix("$s8Lifeline") || name.hasPrefix("$s15LifelineTesting") || name.contains("15LifelineTesting")
  }

  /// Where the references to an object come from that nobody gave back, oldest first.
  func openRetains(of id: ObjectID) throws -> [String] {
    var reader = HistoryReader(trace)
    guard let history = try reader.histories(of: [id]).first else { return [] }
    let pairing = Pairing(history) { row in
      let sites = reader.backtraces.sites(row.backtrace).filter(\.isFrame)
      let outside = sites.firstIndex { trace.tables.image(at: $0.address)?.path != trace.tables.runtimePath } ?? 0
      guard outside < sites.count else { return .init(function: 0, caller: 0) }
      // FNV-1a from the outermost frame inwards.
      var callers: UInt64 = 0xCBF2_9CE4_8422_2325
      var around: [UInt64] = []
      for site in sites[(outside + 1)...].reversed() {
        around.append(function(site) &* 0x9E37_79B9_7F4A_7C15 ^ callers)
        callers = (callers ^ site.word) &* 0x100_0000_01B3
      }
      return .init(
        function: function(sites[outside]), caller: callers, enclosing: around.reversed(),
        image: trace.tables.image(at: sites[outside].address)?.id ?? 0)
    }
    return pairing.unpairedRetains.sorted().reduce(into: []) { places, row in
      let place = place(reader.backtraces.sites(history.rows[row].backtrace))
      if !places.contains(place) { places.append(place) }
    }
  }

  /// Where an object's final release was.
  func deathPlace(of id: ObjectID) throws -> String? {
    var reader = HistoryReader(trace)
    guard let row = try reader.histories(of: [id]).first?.finalRelease else { return nil }
    return place(reader.backtraces.sites(row.backtrace))
  }

  /// Identity of the function around a site.
  private func function(_ site: Site) -> UInt64 { symbolicator.symbol(at: site.lookupAddress)?.start ?? site.address }
}
