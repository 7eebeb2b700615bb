import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Finds live objects that are unreachable: one finding for each shape of a leak.
///
/// Cycles and leaked objects of the same classes, references and allocating function are one finding, and so are cycles
/// along one path from one function, whatever else is in them: the oldest is described, the others are counted. For an
/// unreferenced object, the function of the unbalanced retain counts as well. Cycles that the same changes would have
/// prevented are one finding too, whatever subclasses and type arguments their objects have. A finding's lines come
/// from the histories of the objects on its path.
struct LeakInspector {
  private struct Shape: Hashable {
    struct Edge: Hashable {
      let source: String
      let property: String?
      let target: String
    }
    let isCycle: Bool
    let heads: Set<String>
    let edges: Set<Edge>
    let allocator: String
    /// Functions in which lost tasks wait: what should resume them differs.
    let waits: Set<String>
  }

  /// What a finding describes of a cycle.
  private struct Way: Hashable {
    struct Step: Hashable {
      let className: String
      let property: String?
      let function: UInt64?
    }
    let steps: [Step]
    let allocator: String

    init(_ leak: Leak, allocator: String) {
      steps = leak.steps.map { Step(className: $0.className, property: $0.property, function: $0.function) }
      self.allocator = allocator
    }
  }

  let nodes: LostNodes
  private let sites: CallSiteTable
  let classes: ClassTable
  let closures: ClosureIdentity
  /// All recorded unreachable objects.
  let lostObjects: Set<ObjectID>
  let retained: RetainedTree
  /// By shape, oldest first. Unreferenced objects are all listed; of others only the first, which counts the rest.
  private(set) var leaks: [[(object: ObjectID, leak: Leak)]] = []
  /// By index in `leaks`: others of the same mistake.
  private(set) var merged: [Int: [(object: ObjectID, leak: Leak)]] = [:]
  /// Leaks without any object of the selected classes, which are not findings.
  let excluded: Int
  var graph: HeapGraph { nodes.graph }

  /// Paths whose objects' histories are read; further leaks are reported without lines.
  private static let limit = 200
  /// Objects of a cycle whose ends are compared.
  static let coreLimit = 24
  /// Nodes of other leaks whose references are counted.
  private static let sharedLimit = 100_000
  /// Objects of one shape whose lost references are distinguished.
  private static let alikeLimit = 100

  /// `sites` are those of the tracker's backtraces. In a sample, where most objects were allocated is unknown.
  init(
    _ graph: HeapGraph, _ tracker: LifetimeTracker, isSample: Bool, chosen: ChosenObjects, sites: CallSiteTable,
    classes: ClassTable
  ) {
    nodes = LostNodes(graph, tracker)
    self.sites = sites
    self.classes = classes
    closures = ClosureIdentity(sites)
    var groups: [Shape: [(group: LostGroup, subject: Int)]] = [:]
    var lost: Set<ObjectID> = []
    let reachability = HeapReachability(graph)
    let everything = LostGroup.groups(in: graph, reachability)
    let all = everything.filter { chosen.concern($0, in: graph) }
    excluded = everything.count - all.count
    for group in all { lost.formUnion(group.members.lazy.filter(nodes.isOwn).compactMap(nodes.id)) }
    lostObjects = lost
    retained = RetainedTree(graph, reachability, HeapDominators(graph))
    for group in all {
      guard let subject = subject(of: group) else { continue }
      groups[shape(group, subject, isSample), default: []].append((group, subject))
    }
    // In a sample, the cycle with most recorded objects tells best what to change.
    let ranks = groups.mapValues { $0.map { isSample ? $0.group.core.count(where: nodes.isUnrecorded) : 0 } }
    let ordered = groups.map { shape, alike in
      zip(ranks[shape]!, alike).sorted { $0.0 != $1.0 ? $0.0 < $1.0 : order($0.1.subject) < order($1.1.subject) }
        .map(\.1)
    }
    .sorted { order($0[0].subject) < order($1[0].subject) }
    var places: [Way: Int] = [:]
    var mistakes: [LeakMistake: Int] = [:]
    for alike in ordered {
      var first = leak(alike[0].group, alike[0].subject, alike: alike.lazy.map(\.group), all: all)
      let apart =
        first.1.cause == .unbalanced
        ? alike.dropFirst().prefix(Self.alikeLimit).map { leak($0.group, $0.subject) } : []
      let others = alike.dropFirst(1 + apart.count)
      first.1.similar = others.count
      first.1.isSimilarKnown = apart.isEmpty || others.isEmpty
      for other in others {
        first.1.totalObjects += other.group.members.count(where: nodes.isOwn)
        first.1.totalBytes += nodes.bytes(other.group.members)
        first.1.births.formUnion(births(other.subject))
      }
      let isTold = first.1.cause == .cycle && !first.1.steps.isEmpty
      let way = isTold ? Way(first.1, allocator: allocator(alike[0].subject)) : nil
      let mistake = LeakMistake(first.1, of: first.0.className, root: { classes.lineage($0).last ?? $0 }, closures)
      if let place = way.flatMap({ places[$0] }) ?? mistake.flatMap({ mistakes[$0] }) {
        merged[place, default: []].append(first)
      } else {
        if let way { places[way] = leaks.count }
        if let mistake { mistakes[mistake] = leaks.count }
        leaks.append([first] + apart)
      }
    }
  }

  private func order(_ node: Int) -> (UInt64, String, Int) { (nodes.age(node), graph.type(of: node).name, node) }

  /// Objects whose full histories are needed.
  var objects: Set<ObjectID> {
    var wanted: Set<ObjectID> = []
    for (object, leak) in leaks.prefix(Self.limit).joined() {
      wanted.formUnion([object] + leak.onlyHeld.map(\.object))
      wanted.formUnion((leak.group?.core ?? []).prefix(Self.coreLimit).filter(nodes.isOwn).compactMap(nodes.id))
      wanted.formUnion(leak.steps.prefix(12).compactMap(\.object))
      wanted.formUnion(leak.steps.suffix(4).compactMap(\.object))
    }
    return wanted.filter { $0.number != 0 }
  }

  /// The program's own object that represents a group: one in the cycle itself, if possible.
  private func subject(of group: LostGroup) -> Int? {
    let own = group.core.filter(nodes.isOwn)
    return nodes.oldest(of: own.count > 1 ? notAlone(own, in: group) : own) ?? nodes.oldest(of: own)
      ?? nodes.oldest(of: group.members.filter(nodes.isOwn))
  }

  /// All objects except those that seem to keep themselves, directly or through C memory, and have more incoming words
  /// than references: some of the words do not count then, or are left over from earlier contents.
  private func notAlone(_ objects: [Int], in group: LostGroup) -> [Int] {
    // Only the core refers to it.
    var words = Dictionary(uniqueKeysWithValues: objects.map { ($0, 0) })
    for node in group.core {
      for edge in graph.edges(from: node) { words[graph.target(of: edge)]? += 1 }
    }
    return objects.filter { words[$0]! <= graph.strongCounts[$0] || !keepsItself($0) }
  }

  /// Whether an object refers to itself directly or through memory without a class.
  private func keepsItself(_ node: Int) -> Bool {
    var seen: Set<Int> = [], next = [node]
    while let holder = next.popLast(), seen.count < 1_000 {
      for target in graph.edges(from: holder).map(graph.target) {
        if target == node { return true }
        if graph.type(of: target).kind == .memory, seen.insert(target).inserted { next.append(target) }
      }
    }
    return false
  }

  private func shape(_ group: LostGroup, _ subject: Int, _ isSample: Bool) -> Shape {
    let core = Set(group.core)
    var edges: Set<Shape.Edge> = []
    for node in group.core {
      for edge in graph.edges(from: node)
      where core.contains(graph.target(of: edge)) && !group.leftOver.contains(edge) {
        edges.insert(
          Shape.Edge(
            source: graph.type(of: node).name, property: graph.property(of: edge),
            target: graph.type(of: graph.target(of: edge)).name))
      }
    }
    let isCycle = group.isRetainCycle(in: graph)
    let heads = isCycle ? [] : Set(group.core.map { graph.type(of: $0).name } + [graph.type(of: subject).name])
    return Shape(
      isCycle: isCycle, heads: heads, edges: edges, allocator: isSample && isCycle ? "" : allocator(subject),
      waits: isCycle ? [] : Set(group.core.compactMap(wait)))
  }

  /// The program's own function in which a suspended task waits.
  private func wait(_ node: Int) -> String? {
    let functions = graph.functions(ofTask: node)
    let own = functions.first { !sites.isLibrary(at: $0) } ?? functions.first
    return own.flatMap(sites.function)?.function
  }

  /// The function that allocated an object, beyond its class's own initializers.
  private func allocator(_ node: Int) -> String {
    guard let object = nodes.recorded(node) else { return "" }
    return sites.allocator(object.allocation, of: graph.type(of: node).shortName)
  }

  private func births(_ node: Int) -> Set<BacktraceID> { nodes.recorded(node).map { [$0.allocation] } ?? [] }

  private func leak(
    _ group: LostGroup, _ subject: Int, alike: some Sequence<LostGroup> = EmptyCollection(), all: [LostGroup] = []
  ) -> (ObjectID, Leak) {
    let paths = LeakPathInspector(nodes: nodes)
    var steps: [LeakStep]
    var cause = Leak.Cause.cycle
    var cut: LeakCut?
    var onlyHeld: [OnlyHeld] = []
    let isCycle = group.isRetainCycle(in: graph)
    var elsewhere: [Int: Int] = [:]
    if isCycle {
      var found = self.cut(group, elsewhere: [:])
      if found == nil {
        elsewhere = group.references(from: alike, in: graph, limit: Self.sharedLimit)
        found = elsewhere.isEmpty ? nil : self.cut(group, elsewhere: elsewhere)
      }
      if found == nil {
        elsewhere = group.references(from: all, in: graph, limit: Self.sharedLimit)
        found = elsewhere.isEmpty ? nil : self.cut(group, elsewhere: elsewhere)
        found?.cut.isShared = true
      }
      let inspector = LeakCutInspector(nodes: nodes, classes: classes, closures: closures)
      if inspector.isMissing(found?.cut) { found = inspector.removal(group) ?? found }
      cut = found?.cut
      onlyHeld = found.map(self.onlyHeld) ?? []
      let core = Set(group.core)
      let closing =
        found.flatMap { outside($0.cut, group) }.map { closingEdges(group, $0) }
        ?? (found?.edges ?? []).filter { core.contains(graph.source(of: $0)) && core.contains(graph.target(of: $0)) }
        .sorted { closingOrder($0) < closingOrder($1) }
      // A change that ends a task removes no edge.
      // What keeps a package's object until it is cleared is more familiar than that object.
      let isCleared =
        found.map { $0.cut.breaker != nil && !$0.cut.closes && !$0.cut.changes.contains(where: \.weakens) } ?? false
      steps = paths.cycle(
        of: group, closedBy: closing.isEmpty ? closingEdges(group, subject) : closing, fromHolder: isCleared)
      if found.map({ $0.cut.completes || $0.edges.isEmpty }) ?? true {
        // A task that ends gives up what it refers to.
        for index in steps.indices { steps[index].isCut = found?.edges.isEmpty == true && steps[index].kind == .task }
      }
    } else {
      let head = nearestTask(to: subject, of: group) ?? group.core[0]
      cause = self.cause(head)
      steps = paths.way(from: head, to: subject, within: group)
    }
    var leak = Leak(
      cause: cause, steps: steps, lost: nodes.count(group.members), bytes: nodes.bytes(group.members), cut: cut)
    leak.births = births(subject)
    (leak.onlyHeld, leak.group, leak.elsewhere) = (onlyHeld, onlyHeld.isEmpty ? nil : group, elsewhere)
    let object = steps.lazy.filter { $0.kind == .object }.compactMap(\.object).first { $0.number != 0 } ?? id(subject)
    return (isCycle ? object : id(subject), leak)
  }

  func cut(_ group: LostGroup, needed: Set<LeakCut.Change> = [], elsewhere: [Int: Int]) -> ProvenCut? {
    LeakCutInspector(nodes: nodes, classes: classes, closures: closures, needed: needed, elsewhere: elsewhere)
      .cut(group)
  }

  /// The oldest object of a cycle that is not the framework's, if a promise keeps them.
  private func outside(_ cut: LeakCut, _ group: LostGroup) -> Int? {
    guard cut.completes else { return nil }
    let others = group.core.filter { nodes.isOwn($0) && !LeakCutInspector.isInFramework(graph.type(of: $0).name) }
    return others.min { (nodes.age($0), $0) < (nodes.age($1), $1) }
  }

  /// Tasks whose paths to an object are compared.
  private static let taskLimit = 16

  /// The task in the core that holds an object most directly, the youngest of several.
  private func nearestTask(to subject: Int, of group: LostGroup) -> Int? {
    let paths = LeakPathInspector(nodes: nodes)
    let tasks = group.core.filter { graph.type(of: $0).kind == .task }
    guard tasks.count <= Self.taskLimit else { return graph.youngestTask(of: tasks) }
    let ways = tasks.map { ($0, paths.way(from: $0, to: subject, within: group).count) }
    return graph.youngestTask(of: ways.filter { $0.1 == ways.map(\.1).min() }.map(\.0))
  }

  private func closingOrder(_ edge: Int) -> (UInt64, UInt64, Int) {
    (nodes.age(graph.target(of: edge)), nodes.age(graph.source(of: edge)), edge)
  }

  /// If no change frees everything: the edges back to the subject, that of the shortest cycle first.
  private func closingEdges(_ group: LostGroup, _ subject: Int) -> [Int] {
    let start = group.core.contains(subject) ? subject : group.core[0]
    let path = graph.cycle(through: start, within: Set(group.core))
    guard let shortest = path?.steps.dropLast().last?.edge else { return [] }
    let others = group.core.flatMap { graph.edges(from: $0) }.filter { graph.target(of: $0) == start && $0 != shortest }
    return ([shortest] + others).filter { !group.leftOver.contains($0) }
  }

  private func cause(_ head: Int) -> Leak.Cause {
    switch graph.type(of: head).kind {
    case .object: nodes.isOwn(head) ? .unbalanced : .holder(className: graph.type(of: head).name)
    case .task: .task
    case .memory: .memory(bytes: graph.size(of: head))
    case .closure, .box, .storage, .other: .context
    }
  }

  private func id(_ node: Int) -> ObjectID {
    nodes.id(node) ?? ObjectID(className: graph.type(of: node).name, number: 0, address: graph.addresses[node])
  }

  /// The findings, in order of their oldest objects.
  ///
  /// Of classes that are `uncounted`, retains and releases were not recorded. Their objects are distinguished by where
  /// they were allocated instead.
  ///
  /// - Returns: The findings, and the events that stored the references to each leaked object, where they are known.
  func findings(
    _ lifetimes: [ObjectID: ObjectLifetime], _ sites: CallSiteTable, uncounted: Set<String> = []
  ) -> (findings: [Finding], stored: [ObjectID: [UInt64: Holder]]) {
    var stored: [ObjectID: [UInt64: Holder]] = [:]
    let stores = LeakStoreInspector(lifetimes: lifetimes, sites: sites, classes: classes, uncounted: uncounted)
    let all = leaks.indices.flatMap { reconsidered($0, lifetimes, sites, uncounted: uncounted) }
    let findings = all.flatMap { alike in
      var ways: [[LostReference]: [(object: ObjectID, leak: Leak)]] = [:]
      for (object, leak) in alike {
        var leak = leak
        stores.complete(&leak, of: object)
        for (object, event, holder) in leak.stores { stored[object, default: [:]][event] = holder }
        if leak.alternatives.isEmpty {
          for row in leak.unbalanced { stored[object, default: [:]][row.event.sequence] = .reference }
        }
        for (object, holder) in soleHolders(leak) where stored[object] == nil {
          guard let lifetime = lifetimes[object], lifetime.isComplete, lifetime.pairing.unpairedRetains.count == 1
          else { continue }
          let row = lifetime.history.rows[lifetime.pairing.unpairedRetains[0]]
          stored[object] = [row.event.sequence: holder]
        }
        let allocation = uncounted.contains(object.className) ? lifetimes[object]?.history.allocation : nil
        let taken = allocation.map { [$0] } ?? leak.unbalanced
        ways[taken.map { LostReference(sites.site($0.backtrace).function) }, default: []].append((object, leak))
      }
      return ways.values.sorted { order($0[0].object) < order($1[0].object) }.map { finding($0, lifetimes) }
    }
    return (findings, stored)
  }

  /// The holders of a path's objects to which only one reference is left.
  private func soleHolders(_ leak: Leak) -> [(object: ObjectID, holder: Holder)] {
    leak.steps.indices.dropLast().compactMap { index in
      guard let object = leak.steps[index + 1].object, let node = graph.node(at: object.address),
        graph.strongCounts[node] == 1
      else { return nil }
      return (object, leak.holder(index))
    }
  }

  private struct LostReference: Hashable {
    let function: String?
    let line: Int?

    init(_ frame: CodeFrame?) {
      function = frame?.function
      line = frame?.line
    }
  }

  private func order(_ object: ObjectID) -> (Int, UInt64) { (object.number, object.address) }

  /// The finding of similar leaks; it describes the first.
  private func finding(_ alike: [(object: ObjectID, leak: Leak)], _ lifetimes: [ObjectID: ObjectLifetime]) -> Finding {
    var (object, leak) = alike[0]
    for other in alike.dropFirst() { leak.count(other.leak) }
    var rows: [(Finding.Role, HistoryRow)] = []
    let allocation = lifetimes[object]?.history.allocation
    // The line to change comes first, for formats that mark one line.
    let store = cutStore(leak) ?? leak.unbalanced.first ?? handover(leak)
    if let store, store.event.sequence != allocation?.event.sequence { rows.append((.retain, store)) }
    if let allocation { rows.append((.allocation, allocation)) }
    var finding = Finding(
      kind: .leak, severity: .error, object: object, access: nil, accessedAddress: 0,
      places: rows.map { Finding.Place(role: $0.0, event: $0.1.event, backtrace: $0.1.backtrace) })
    finding.lifetime = lifetimes[object]
    finding.leak = leak
    finding.similar = leak.similar
    return finding
  }

  /// Where what a library's object keeps was given the object.
  private func handover(_ leak: Leak) -> HistoryRow? {
    guard case .holder = leak.cause else { return nil }
    return leak.steps.dropLast().last?.store
  }

  /// Where the reference to remove was stored, including anything between it and the next object.
  private func cutStore(_ leak: Leak) -> HistoryRow? {
    guard let cut = leak.steps.firstIndex(where: \.isCut) else { return nil }
    let end = leak.steps[(cut + 1)...].firstIndex { $0.kind == .object } ?? leak.steps.endIndex
    return leak.steps[cut..<end].lazy.compactMap(\.store).first
  }
}
