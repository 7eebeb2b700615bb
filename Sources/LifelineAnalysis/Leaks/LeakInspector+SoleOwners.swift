import LifelineHeap
import LifelineLifetimes

extension LeakInspector {
  /// Objects whose histories are read to tell whether a change would lose them.
  private static let onlyHeldLimit = 8

  /// The objects that have no other references than those that the changes make weak, the oldest first.
  func onlyHeld(_ found: ProvenCut) -> [OnlyHeld] {
    var weakened: [Int: (edges: [Int], changes: Set<LeakCut.Change>)] = [:]
    for candidate in found.candidates where candidate.change.weakens {
      for edge in candidate.edges + candidate.others {
        weakened[graph.target(of: edge), default: ([], [])].edges.append(edge)
        weakened[graph.target(of: edge), default: ([], [])].changes.insert(candidate.change)
      }
    }
    let lost = weakened.filter { Int(graph.strongCounts[$0.key]) == $0.value.edges.count }
    return lost.keys.sorted { (nodes.age($0), $0) < (nodes.age($1), $1) }.prefix(Self.onlyHeldLimit).compactMap {
      node in
      guard let id = nodes.id(node), let (edges, changes) = lost[node] else { return nil }
      let since = edges.map { nodes.age(graph.source(of: $0)) }.max() ?? .max
      return OnlyHeld(object: id, changes: changes, references: edges.count, since: since)
    }
  }

  /// The leaks of one mistake, and those that turn out to need another change than the first: without the proposal that
  /// they had in common, they are mistakes of their own.
  func reconsidered(
    _ index: Int, _ lifetimes: [ObjectID: ObjectLifetime], _ sites: CallSiteTable, uncounted: Set<String>
  ) -> [[(object: ObjectID, leak: Leak)]] {
    var alike = leaks[index]
    let needed = alike.indices.map { reconsider(&alike[$0].leak, lifetimes, sites, uncounted: uncounted) }[0]
    var apart: [[LeakCut.Change]: [(object: ObjectID, leak: Leak)]] = [:]
    for (object, leak) in merged[index] ?? [] {
      var leak = leak
      if !needed.isEmpty { reconsider(&leak, lifetimes, sites, uncounted: uncounted, needed: needed) }
      if needed.isEmpty || leak.cut?.changes == alike[0].leak.cut?.changes {
        alike[0].leak.count(leak)
      } else {
        apart[leak.cut?.changes ?? [], default: []].append((object, leak))
      }
    }
    let others = apart.values.map { list in
      list.dropFirst().reduce(into: list[0]) { $0.leak.count($1.leak) }
    }
    return [alike] + others.sorted { $0.object.number < $1.object.number }.map { [$0] }
  }

  /// Replaces a proposal that makes the only references to an object weak. The path stays, because a first run at depth
  /// lives does not show which references those are.
  ///
  /// - Parameter known: References that are known to be such.
  /// - Returns: All of these references.
  @discardableResult
  func reconsider(
    _ leak: inout Leak, _ lifetimes: [ObjectID: ObjectLifetime], _ sites: CallSiteTable, uncounted: Set<String>,
    needed known: Set<LeakCut.Change> = []
  ) -> Set<LeakCut.Change> {
    let owners = SoleOwnerInspector(sites: sites, classes: classes)
    let core = leak.group?.core.prefix(Self.coreLimit).compactMap(nodes.id) ?? []
    func isLost(_ held: OnlyHeld, _ owners: SoleOwnerInspector) -> Bool {
      guard !uncounted.contains(held.object.className), let lifetime = lifetimes[held.object] else { return false }
      let others = core.filter { $0 != held.object }.compactMap { lifetimes[$0] }
      return owners.isLost(lifetime, by: held, usedBy: others)
    }
    var needed = known, isApplied = known.isEmpty
    while needed.count < 8, let group = leak.group {
      let lost = leak.onlyHeld.first { !$0.changes.isSubset(of: needed) && isLost($0, owners) }
      guard lost != nil || !isApplied else { break }
      isApplied = true
      needed.formUnion(lost?.changes ?? [])
      var found = cut(group, needed: needed, elsewhere: leak.elsewhere)
      found?.cut.isShared = leak.cut?.isShared ?? false
      (leak.cut, leak.onlyHeld) = (found?.cut, found.map(onlyHeld) ?? [])
    }
    let orLoaded = SoleOwnerInspector(sites: sites, classes: classes, countsWeakLoads: true)
    let unknown = leak.onlyHeld.filter { held in
      !needed.isEmpty && held.changes.isSubset(of: needed)
        || isUnknown(held, lifetimes[held.object], sites, uncounted)
        || held.changes.allSatisfy { $0.weakenedProperty != nil } && isLost(held, orLoaded)
    }
    // A box or a closure's context goes with what has it.
    let lost = Set(unknown.map(\.object.className)).filter { !$0.hasPrefix("(") && !classes.isContext($0) }
    leak.cut?.perhapsLost = lost.sorted()
    guard !needed.isEmpty, let changes = leak.cut?.changes else { return needed }
    for index in leak.steps.indices {
      leak.steps[index].isCut = changes.contains { isRemoved(leak.steps[index], by: $0) }
    }
    return needed
  }

  /// Whether neither names nor events show that something else owns an object: retains were not recorded, or are not
  /// where the source has them.
  private func isUnknown(
    _ held: OnlyHeld, _ lifetime: ObjectLifetime?, _ sites: CallSiteTable, _ uncounted: Set<String>
  ) -> Bool {
    if held.changes.contains(where: { $0.weakenedProperty == nil }) { return false }
    guard let allocation = lifetime?.history.allocation, !uncounted.contains(held.object.className) else { return true }
    return sites.isOptimized(allocation.backtrace) != false
  }

  private func isRemoved(_ step: LeakStep, by change: LeakCut.Change) -> Bool {
    switch change {
    case .captureWeakly(_, let function?):
      step.function.map(closures.identity) == closures.identity(of: function)
    case .makeWeak(let className, let property), .weakenInside(let className, let property, _),
      .clear(let className, let property, _), .clearConstant(let className, let property, _):
      step.property.map { $0 == property || $0.hasPrefix(property + ".") } ?? false
        && classes.shortLineage(step.className).map(\.withoutTypeArguments).contains(
          ObjectID(className: className, number: 1).shortClassName.withoutTypeArguments)
    default: false
    }
  }
}
