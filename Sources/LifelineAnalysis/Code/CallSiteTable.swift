import LifelineLifetimes
import LifelineTrace

/// The call sites of a table of backtraces, each analyzed once.
final class CallSiteTable {
  let tables: TraceTables
  let names: any CodeNaming
  private let rules: HoldRules
  let backtraces: BacktraceTable
  private var sites: [BacktraceID: CallSite] = [:]
  private var places: [BacktraceID: CallIdentity] = [:]
  private var factsBySite: [BacktraceEntry: [FrameFacts]] = [:]
  private var identities: [BacktraceEntry: UInt64] = [:]
  /// What a site alone decides.
  private enum Decision: UInt8 { case goOn, activity, closure, code }
  private var decisions: [BacktraceEntry: Decision] = [:]
  /// Without modules and type arguments; those of the objects, and all that have or are superclasses.
  private(set) lazy var classNames: Set<String> = Set(
    (tables.classes.values.map(\.name) + names.superclasses.flatMap { [$0.key, $0.value] })
      .map(Self.shortName))
  /// Superclasses, both named in the same way.
  private(set) lazy var parents: [String: String] = Dictionary(
    names.superclasses.map { (Self.shortName($0.key), Self.shortName($0.value)) },
    uniquingKeysWith: { first, _ in first })
  /// The rules of scope `span`, one bit each.
  private let spanning: UInt64

  private static func shortName(_ className: String) -> String {
    ObjectID(className: className, number: 1).shortClassName.withoutTypeArguments
  }

  init(_ backtraces: BacktraceTable, _ tables: TraceTables, names: any CodeNaming, rules: HoldRules) {
    self.backtraces = backtraces
    self.tables = tables
    self.names = names
    self.rules = rules
    spanning = rules.rules.enumerated().reduce(0) { $1.element.scope == .span ? $0 | 1 << UInt64($1.offset) : $0 }
  }

  /// The functions at a call on the stack, innermost first.
  func functions(at call: BacktraceEntry) -> [FrameFacts] { frames(call) }

  /// Whether the code of a call was optimized; nil if unknown.
  func isOptimized(_ call: BacktraceEntry) -> Bool? { names.isOptimized(call) }

  /// The same for the program's own code that made an event.
  func isOptimized(_ id: BacktraceID) -> Bool? { backtraces.entries(id).first(where: isOwn).flatMap(isOptimized) }
  private func isOwn(_ site: BacktraceEntry) -> Bool { site.isFrame && frames(site).contains { !$0.isLibrary } }

  func site(_ id: BacktraceID) -> CallSite {
    if let known = sites[id] { return known }
    let site = CallSite(facts(id), rules)
    sites[id] = site
    return site
  }

  /// The closure that made an event, itself or through functions that `passes` tells, and where.
  func closure(_ id: BacktraceID, passes: (FrameFacts) -> Bool) -> (frame: CodeFrame, site: BacktraceEntry)? {
    for (site, frames) in zip(backtraces.entries(id).filter(\.isFrame), facts(id)) {
      for facts in frames where !facts.isLibrary && facts.isMeaningful && !passes(facts) {
        return facts.name.isClosure ? (facts.frame, site) : nil
      }
    }
    return nil
  }

  /// The functions of a backtrace by site, innermost first.
  ///
  /// If nothing of the program's is inside of a closure's entry point, the closure's code was inlined there.
  func facts(_ id: BacktraceID) -> [[FrameFacts]] {
    var facts = backtraces.entries(id).filter(\.isFrame).map(frames)
    for (site, frames) in facts.enumerated() {
      for (index, frame) in frames.enumerated() {
        if let closure = frame.enteredClosure {
          facts[site][index] = closure
          return facts
        }
        if frame.rules != 0 || frame.name.role != .glue && !frame.isLibrary { return facts }
      }
    }
    return facts
  }

  /// The call site of a release by a transient activity, or by a closure that one may run; nil for the program's own
  /// code.
  ///
  /// Programs release in many places and recurse, so this looks only as far as the first function that decides.
  func passingSite(_ id: BacktraceID) -> CallSite? {
    var node = id
    while let site = backtraces.innermost(of: node) {
      switch decision(site) {
      case .goOn: node = backtraces.caller(of: node)
      case .activity, .closure: return self.site(id)
      case .code: return nil
      }
    }
    return nil
  }

  /// Whether a free's release was made by a transient activity, or by a closure that one may run; the object's deinit,
  /// which called the runtime to free it, is between the two.
  func isPassingEnd(_ id: BacktraceID) -> Bool {
    var node = id
    while let site = backtraces.innermost(of: node) {
      let decision = decision(site)
      if decision == .activity || decision == .closure { return passes(node) }
      guard decision == .goOn || frames(site).contains(where: { $0.name.role == .deinitializer }) else { return false }
      node = backtraces.caller(of: node)
    }
    return false
  }

  /// Whether a free's release was made by a function of the program that may have held the object itself: not a setter,
  /// and no deinit except those of the object's own classes.
  func isLocalEnd(_ id: BacktraceID, lineage: Set<String>) -> Bool {
    var node = id
    while let site = backtraces.innermost(of: node) {
      let decision = decision(site)
      if decision == .activity { return false }
      if decision != .goOn, let frame = frames(site).first(where: { !$0.isLibrary && $0.isMeaningful }) {
        switch frame.name.role {
        case .deinitializer:
          guard frame.name.typeName.map(lineage.contains) == true else { return false }
        case .accessor(_, sets: true): return false
        default: return true
        }
      }
      node = backtraces.caller(of: node)
    }
    return false
  }

  private func passes(_ id: BacktraceID) -> Bool {
    let site = site(id)
    return (site.rule ?? site.runner).map { $0.scope != .owner } ?? false
  }

  private func decision(_ site: BacktraceEntry) -> Decision {
    if let known = decisions[site] { return known }
    var decision = Decision.goOn
    for frame in site.isFrame ? frames(site) : [] {
      if frame.rules != 0 {
        decision = .activity
      } else if !frame.isLibrary, frame.isMeaningful {
        decision = frame.name.isClosure ? .closure : .code
      }
      if decision != .goOn { break }
    }
    decisions[site] = decision
    return decision
  }

  /// The program's function that needed a reference, outside of the accessors that read it from a property.
  func taker(_ id: BacktraceID) -> CodeFrame? {
    firstOwn(id) { name in
      if case .accessor(_, sets: false) = name.role { true } else { false }
    }?.frame
  }

  /// Whether a statement retained and released: it read a property, or called something that does.
  func isMomentary(_ retain: HistoryRow, _ release: HistoryRow) -> Bool {
    guard let first = taker(retain.backtrace), let second = taker(release.backtrace), first.line != nil else {
      return false
    }
    return first.function == second.function && (first.line == second.line || first.isNear && second.isNear)
  }

  /// The innermost function of the program's own, apart from those to skip.
  func firstOwn(_ id: BacktraceID, skipping isSkipped: (ParsedFunctionName) -> Bool) -> FrameFacts? {
    for site in backtraces.entries(id) where site.isFrame {
      for frame in frames(site) where !frame.isLibrary && frame.isMeaningful && !isSkipped(frame.name) { return frame }
    }
    return nil
  }

  /// The function that begins at an address.
  func function(at address: UInt64) -> CodeFrame? { frames(BacktraceEntry(word: address << 2 | 1)).last?.frame }

  /// The line on which the closure whose code begins at an address is written; nil if unknown.
  func line(ofClosureAt address: UInt64) -> Int? { names.line(ofClosureAt: address) }

  /// Whether the function that begins at an address is a library's, even if its code is in the program's own image.
  func isLibrary(at address: UInt64) -> Bool {
    frames(BacktraceEntry(word: address << 2 | 1)).last?.isLibrary ?? false
  }

  func frames(_ site: BacktraceEntry) -> [FrameFacts] {
    if let known = factsBySite[site] { return known }
    let made = names.frames(of: [site]).map { FrameFacts($0, rules) }
    factsBySite[site] = made
    return made
  }

  private func identity(_ site: BacktraceEntry) -> UInt64 {
    if let known = identities[site] { return known }
    let identity = names.functionIdentity(of: site)
    identities[site] = identity
    return identity
  }

  /// The program's functions between a backtrace's site and the enclosing function: those with their own frame, and
  /// those inlined into that function. Empty if the function is not in the backtrace.
  func calls(_ id: BacktraceID, inside function: CodeFrame?) -> (apart: [FrameFacts], inlined: [FrameFacts]) {
    var apart: [FrameFacts] = []
    for site in facts(id) {
      if let end = site.firstIndex(where: { function?.isSameFunction(as: $0.frame) == true }) {
        return (apart, site[..<end].filter { !$0.isLibrary && $0.isMeaningful })
      }
      apart += site.filter { !$0.isLibrary && $0.isMeaningful }
    }
    return ([], [])
  }

  /// The function that called the one that retained, and released in tail position: it had left the backtrace by then.
  func tailFunction(_ retain: BacktraceID, _ release: BacktraceID) -> CodeFrame? {
    let paths = place(retain).enclosingPaths
    guard let depth = paths.firstIndex(of: place(release).path), depth > 0 else { return nil }
    let sites = backtraces.entries(retain).filter(\.isFrame)
    let outer = sites.count - (paths.count - depth)
    return outer > 0 ? frames(sites[outer - 1]).last { !$0.isLibrary && $0.isMeaningful }?.frame : nil
  }

  /// Identity of the call of the program's first own function, or of that which called an accessor.
  func programCall(_ id: BacktraceID, skippingAccessors: Bool = false) -> UInt64? {
    func isSkipped(_ name: ParsedFunctionName) -> Bool {
      if skippingAccessors, case .accessor = name.role { true } else { false }
    }
    let sites = backtraces.entries(id).filter(\.isFrame)
    guard
      let first = sites.firstIndex(where: {
        frames($0).contains { !$0.isLibrary && $0.isMeaningful && !isSkipped($0.name) }
      })
    else { return nil }
    return sites[(first + 1)...].reduce(into: FNV1a(from: identity(sites[first]))) { $0.add($1.word) }.value
  }

  /// The rule of scope `span` whose activity is around a place, if any.
  func spanningRule(_ id: BacktraceID) -> HoldRule? {
    // Copying a whole site retains each of its references, which is slow for the many events of a long life.
    let around = (sites[id]?.around ?? site(id).around) & spanning
    return around == 0 ? nil : rules.rules[around.trailingZeroBitCount]
  }

  /// The program's function that called the outermost activity of a rule around a place, and where.
  func caller(of rule: HoldRule, _ id: BacktraceID) -> CodeFrame? {
    let frames = Array(facts(id).joined()), bit = bit(rule)
    let outermost = frames.lastIndex { $0.rules & bit != 0 } ?? -1
    return frames[(outermost + 1)...].first { !$0.isLibrary && $0.isMeaningful }?.frame
  }

  func rule(_ id: String) -> HoldRule? { rules.rules.first { $0.id == id } }

  /// The bit of a rule in `CallSite.around`.
  func bit(_ rule: HoldRule) -> UInt64 { rules.rules.firstIndex { $0.id == rule.id }.map { 1 << UInt64($0) } ?? 0 }

  /// The place of a retain or release in the code: the function that called the runtime, and its callers.
  func place(_ id: BacktraceID) -> CallIdentity {
    if let known = places[id] { return known }
    let place = makePlace(id)
    places[id] = place
    return place
  }

  /// The outermost sites of a backtrace, outermost first; with a call site's `depth`, those around an activity's call.
  func outermost(_ count: Int, of id: BacktraceID) -> [UInt64] {
    backtraces.entries(id).filter(\.isFrame).reversed().prefix(count).map(\.word)
  }

  private func ownsArguments(_ name: ParsedFunctionName?) -> Bool {
    switch name?.role {
    case .initializer, .accessor(_, sets: true): true
    default: false
    }
  }

  private func makePlace(_ id: BacktraceID) -> CallIdentity {
    let entries = Array(backtraces.entries(id))
    let sites = entries.filter(\.isFrame)
    guard let outside = firstMeaning(sites) else { return CallIdentity(function: 0, caller: 0) }
    // From the outermost frame inwards: equal callers give equal numbers in every run.
    var path = FNV1a()
    var calls: [(function: UInt64, caller: UInt64)] = []
    var paths: [UInt64] = []
    for site in sites[outside...].reversed() {
      calls.append((identity(site), path.value))
      path.add(site.word)
      paths.append(path.value)
    }
    let site = self.site(id)
    // Inlined initializers count as separate calls, because what they create outlives them.
    let inlined = frames(sites[outside])
    if inlined.count > 1, inlined[0].name.role == .initializer {
      var last: String?
      for frame in inlined.dropLast().reversed() where frame.name.role == .initializer && frame.name.typeName != last {
        last = frame.name.typeName
        calls.append((FNV1a(frame.frame.function, from: path.value).value, path.value))
        paths.append(path.value ^ UInt64(calls.count))
      }
    }
    let innermost = calls.removeLast()
    let own = paths.removeLast()
    let enclosing = calls.reversed().map(CallIdentity.key)
    return CallIdentity(
      function: innermost.function, caller: innermost.caller, enclosing: enclosing,
      lenders: lenders(enclosing, sites[outside...]), path: own, enclosingPaths: paths.reversed(),
      image: image(of: sites[outside]),
      role: role(site), ownsArguments: ownsArguments(site.name),
      argumentDepth: site.name?.role == .initializer && site.caller?.role == .initializer ? 2 : 1,
      isInitializer: site.name?.role == .initializer && site.name?.isClosure == false,
      reach: reach(sites[outside...]),
      typeName: site.name?.isClosure == false ? site.name?.typeName : nil, isUnmanaged: site.isUnmanaged,
      activities: site.around, isWhole: sites.count == entries.count,
      canEnd: calls.count + 1 == sites.count - outside && canEnd(inlined))
  }

  /// Whether the call of a site's function ends when its caller goes on.
  private func canEnd(_ frames: [FrameFacts]) -> Bool {
    guard let function = frames.last, let mangled = function.frame.mangledName else { return false }
    if case .accessor(_, _) = function.name.role {
      return function.frame.function.hasSuffix("getter") || function.frame.function.hasSuffix("setter")
    }
    return !AsynchronousPart(mangled).isAsynchronous && AsynchronousPart(mangled).function.count == mangled.count
  }

  /// The calls around a site that may have passed a reference to its function; nil for all of them.
  private func lenders(_ enclosing: [UInt64], _ sites: ArraySlice<BacktraceEntry>) -> [UInt64]? {
    // A closure may be inlined into its entry point.
    guard let own = sites.first.flatMap({ site in frames(site).last.flatMap { $0.enteredClosure ?? $0 } }),
      !own.isLibrary, own.isMeaningful
    else { return nil }
    if own.name.role == .initializer { return nil }
    if own.hasOnlyItsObject || own.name.role == .deinitializer { return [] }
    var callee = own
    for (index, site) in sites.enumerated().dropFirst() {
      guard let function = frames(site).last else { return nil }
      // A deinit releases what its object stored, whoever released the object.
      if function.isLibrary, callee.name.role != .deinitializer, callee.isMeaningful {
        let beyond = sites.dropFirst(index)
        return enclosing.dropLast(beyond.count)
          + zip(enclosing.suffix(beyond.count), beyond).compactMap { key, site in
            frames(site).contains { own.frame.function.hasSuffix(" in \($0.frame.function)") } ? key : nil
          }
      }
      callee = function
    }
    return nil
  }

  /// How many of the calls around a site may have received the reference taken there as a result.
  ///
  /// An initializer returns only its own object.
  private func reach(_ sites: ArraySlice<BacktraceEntry>) -> Int {
    guard let site = sites.first else { return 0 }
    let calls = Self.calls(frames(site)) + sites.dropFirst().map(frames)
    let first = calls[0].first { $0.isMeaningful && !$0.isLibrary }?.name
    let made = first?.role == .initializer ? first?.typeName : nil
    return calls.prefix { call in
      call.allSatisfy { facts in
        guard facts.isMeaningful, !facts.isLibrary else { return !facts.keepsWhatItTakes }
        return facts.name.role == .initializer ? facts.name.typeName == made : !facts.isResultless
      }
    }.count
  }

  /// The functions of a site, with inlined initializers as separate calls.
  private static func calls(_ frames: [FrameFacts]) -> [[FrameFacts]] {
    guard frames.first?.name.role == .initializer else { return [frames] }
    var calls: [[FrameFacts]] = [[]]
    var initialized: String?
    for (index, facts) in frames.enumerated() {
      let isInitializer = facts.name.role == .initializer && index < frames.count - 1
      if let type = initialized, !isInitializer || facts.name.typeName != type {
        calls.append([])
        initialized = nil
      }
      calls[calls.count - 1].append(facts)
      if isInitializer { initialized = facts.name.typeName }
    }
    return calls
  }

  /// The innermost site outside of the runtime that is not the compiler's glue.
  private func firstMeaning(_ sites: [BacktraceEntry]) -> Int? {
    let outside = sites.firstIndex { !isInRuntime($0) } ?? 0
    return sites.indices.dropFirst(outside).first {
      frames(sites[$0]).contains { $0.name.role != .glue || $0.enteredClosure != nil }
    }
      ?? (outside < sites.count ? outside : nil)
  }

  private func role(_ site: CallSite) -> CallIdentity.Role {
    switch site.role {
    case .blockCopy: .capture
    case .contextDestroy: .captureEnd
    default: site.rule?.scope == .owner ? .kept : .plain
    }
  }
}
