import LifelineLifetimes
import LifelineTrace

/// The call sites of a table of backtraces, each looked at once.
final class CallSiteTable {
  private let tables: TraceTables
  private let names: any CodeNaming
  private let rules: HoldRules
  private let backtraces: BacktraceTable
  private var sites: [BacktraceID: CallSite] = [:]
  private var places: [BacktraceID: PairingPlace] = [:]
  private var facts: [Site: [FrameFacts]] = [:]

  init(_ backtraces: BacktraceTable, _ tables: TraceTables, names: any CodeNaming, rules: HoldRules) {
    self.backtraces = backtraces
    self.tables = tables
    self.names = names
    self.rules = rules
  }

  func site(_ id: BacktraceID) -> CallSite {
    if let known = sites[id] { return known }
    let site = CallSite(backtraces.sites(id).filter(\.isFrame).map(frames), rules)
    sites[id] = site
    return site
  }

  private func frames(_ site: Site) -> [FrameFacts] {
    if let known = facts[site] { return known }
    let made = names.frames(of: [site]).map { FrameFacts($0, rules) }
    facts[site] = made
    return made
  }

  /// The bit that stands for a rule in `CallSite.around`.
  func bit(_ rule: HoldRule) -> UInt64 { rules.rules.firstIndex { $0.id == rule.id }.map { 1 << UInt64($0) } ?? 0 }

  /// Where a retain or release stands in the code: the function that called the runtime, and its callers.
  func place(_ id: BacktraceID) -> PairingPlace {
    if let known = places[id] { return known }
    let place = makePlace(id)
    places[id] = place
    return place
  }

  /// The outermost sites of a backtrace, the outermost first: with a call site's `depth`, those around an activity's call.
  func outermost(_ count: Int, of id: BacktraceID) -> [UInt64] {
    backtraces.sites(id).filter(\.isFrame).reversed().prefix(count).map(\.word)
  }

  private func makePlace(_ id: BacktraceID) -> PairingPlace {
    let sites = backtraces.sites(id).filter(\.isFrame)
    let outside = sites.firstIndex { tables.image(at: $0.address)?.path != tables.runtimePath } ?? 0
    guard outside < sites.count else { return PairingPlace(function: 0, caller: 0) }
    // FNV-1a from the outermost frame inwards: equal callers give equal numbers in every run.
    var callers: UInt64 = 0xCBF2_9CE4_8422_2325
    var calls: [PairingPlace] = []
    for site in sites[outside...].reversed() {
      calls.append(PairingPlace(function: names.functionIdentity(of: site), caller: callers))
      callers = (callers ^ site.word) &* 0x100_0000_01B3
    }
    let innermost = calls.removeLast()
    let role: PairingPlace.Role =
      switch self.site(id).role {
      case .blockCopy: .capture
      case .contextDestroy: .captureEnd
      default: .plain
      }
    return PairingPlace(
      function: innermost.function, caller: innermost.caller, enclosing: calls.reversed().map(\.key),
      image: tables.image(at: sites[outside].address)?.id ?? 0, role: role)
  }
}
