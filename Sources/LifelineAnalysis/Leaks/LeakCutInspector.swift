import LifelineHeap

/// Finds the references that a cycle should not have: those whose removal frees everything, likeliest mistake first.
///
/// A closure's capture comes first, then a property named like a back reference, then one from the younger object to
/// the older, which is mostly its owner; a property that can only be cleared comes last, and a constant after that. A
/// change may also leave a package's objects that keep each other until an object of the package is freed
/// (`PackageCycles`).
struct LeakCutInspector {
  let nodes: LostNodes
  let classes: ClassTable
  let closures: ClosureIdentity
  /// References that should not be weak: a property can still be cleared, and a capture comes after properties that can
  /// be weak.
  var needed: Set<LeakCut.Change> = []
  /// References to the group's nodes from other leaks, which are to be prevented as well.
  var elsewhere: [Int: Int] = [:]
  var graph: HeapGraph { nodes.graph }

  /// Groups with more members are not searched outside of the cycle.
  private static let memberLimit = 100_000

  /// Nil if no change, and no few together, free at least all of the program's own objects, or
  /// all but a package's that wait for a deinit.
  ///
  /// A change to the source affects all objects: another cycle of the same references ends with it. If that is not
  /// enough, other cycles that the first one drags along are cut as well.
  func cut(_ group: LostGroup) -> ProvenCut? {
    if let cut = closing(group) { return cut }
    let cut = references(group)
    if let cut, !cut.cut.changes.contains(where: isInside) { return cut }
    return completion(group) ?? cut
  }

  private func references(_ group: LostGroup) -> ProvenCut? {
    let inCore = candidates(group, everywhere: false)
    let found = cut(group, inCore)
    if found?.cut.isWhole == true { return found }
    guard group.members.count > group.core.count, group.members.count <= Self.memberLimit else {
      return found ?? many(inCore, group)
    }
    if let cut = cut(group, candidates(group, everywhere: true)) ?? found { return cut }
    let dragged = candidates(group, everywhere: true, withDragged: true)
    return cut(group, dragged) ?? many(dragged, group)
  }

  private func cut(_ group: LostGroup, _ candidates: [Candidate]) -> ProvenCut? {
    let first = candidates.prefix(8)
    let pairs = first.indices.flatMap { one in first[(one + 1)...].map { [first[one], $0] } }
    let weak = candidates.filter(\.isWeakening)
    let others = candidates.filter { !$0.isWeakening }
    var part: ProvenCut?
    func whole(_ changes: [[Candidate]]) -> ProvenCut? {
      for change in changes {
        guard let cut = proven(change, group) else { continue }
        if cut.cut.isWhole { return cut }
        part = part ?? cut
      }
      return nil
    }
    let likely = weak.filter(\.isLikely)
    if let cut = whole(likely.map { [$0] }) { return outside(cut.cut, weak, group) ?? cut }
    // Only the ages suggest these, so several captures or back references that free everything come before.
    if let cut = whole(weak.filter { !$0.isLikely }.map { [$0] }) {
      return whole(together(likely.prefix(8), group)) ?? outside(cut.cut, weak, group) ?? cut
    }
    if part == nil, let cut = (weak + others).prefix(16).lazy.compactMap({ withBreaker($0, group) }).first {
      return cut
    }
    let several = together(weak.prefix(8), group)
    return whole(several.flatMap { wholeValues(in: $0, of: candidates) }.map { [$0] }) ?? whole(several)
      ?? whole(others.map { [$0] } + pairs)
      ?? others.prefix(8).lazy.compactMap { whole(together(weak.prefix(7) + [$0], group)) }.first ?? part
  }

  /// A capture by another module's closure that is enough if a deinit of the package ends the rest, where the change
  /// that frees everything is the package's own: its user made that closure, and can hardly change the package.
  private func outside(_ inside: LeakCut, _ weak: [Candidate], _ group: LostGroup) -> ProvenCut? {
    guard let package = inside.changes.first.flatMap(module) else { return nil }
    let captures = weak.filter { $0.rank == 0 && module($0.change).map { $0 != package } ?? false }
    return captures.prefix(16).lazy.compactMap { withBreaker($0, group) }.first {
      $0.cut.breaker.map(PackageCycles.module) == package
    }
  }

  /// The module whose source a change is in: that of the closure or of the class; nil if unknown, as for a struct in a
  /// box, which is named without its module.
  func module(_ change: LeakCut.Change) -> String? {
    if case .captureWeakly(_, let function?) = change, let module = closures.module(of: function) { return module }
    return change.className.flatMap { $0.contains(".") ? PackageCycles.module($0) : nil }
  }

  /// A change that leaves only a package's objects that keep each other, which the deinit of a freed one may end.
  private func withBreaker(_ candidate: Candidate, _ group: LostGroup) -> ProvenCut? {
    guard let module = module(candidate.change), group.members.count <= Self.memberLimit else { return nil }
    let taken = Set(candidate.edges + candidate.others)
    let result = EdgeCut(taken, elsewhere: elsewhere, of: group, in: graph)
    let cycles = PackageCycles(nodes: nodes, classes: classes, kept: result.kept, without: taken)
    let cleared = candidate.isWeakening ? nil : cleared(by: candidate)
    guard let breaker = cycles.breaker(among: result.freed, changing: module, cleared: cleared) else { return nil }
    let cut = LeakCut(
      changes: [candidate.change], single: single([candidate]), freed: nodes.count(result.freed),
      bytes: nodes.bytes(result.freed), isWhole: false, breaker: breaker)
    return ProvenCut(cut: cut, candidates: [candidate])
  }

  /// Two or three of some changes, all of them necessary, that free everything together: for example, two closures that
  /// capture the same object. Closures may be more.
  ///
  /// There is no known moment to clear something leaked, so these come before a property that could only be cleared.
  private func together(_ changes: ArraySlice<Candidate>, _ group: LostGroup) -> [[Candidate]] {
    guard let all = proven(Array(changes), group) else { return [] }
    var needed = Array(changes)
    for index in needed.indices.reversed() {
      var fewer = needed
      fewer.remove(at: index)
      if proven(fewer, group)?.cut.isWhole == all.cut.isWhole { needed = fewer }
    }
    let isOneClass = needed.allSatisfy { $0.rank == 0 } && Set(needed.map(\.change.className)).count == 1
    return 2...(isOneClass ? 8 : 3) ~= needed.count ? [needed] : []
  }

  func proven(_ candidates: [Candidate], _ group: LostGroup) -> ProvenCut? {
    let edges = candidates.flatMap(\.edges)
    let taken = Set(edges + candidates.flatMap(\.others))
    let result = EdgeCut(
      taken, ending: candidates.flatMap(\.ending), elsewhere: elsewhere, of: group, in: graph)
    guard !result.kept.contains(where: nodes.isOwn) else { return nil }
    let cut = LeakCut(
      changes: candidates.map(\.change), single: single(candidates), captured: captured(candidates, in: group, result),
      freed: nodes.count(result.freed), bytes: nodes.bytes(result.freed), isWhole: result.freesAll)
    return ProvenCut(cut: cut, candidates: candidates)
  }

  private struct Label: Hashable {
    let type: Int
    let property: String?
    let function: UInt64?
    let captured: Int
    /// The class that declares the property, if known; it is the same one for all its subclasses.
    let declarer: String?
    /// A reference that a captured variable holds.
    let isVariable: Bool
  }

  private func candidates(_ group: LostGroup, everywhere: Bool, withDragged: Bool = false) -> [Candidate] {
    let core = Set(group.core)
    let members = everywhere ? Set(group.members) : core
    let functions = contextFunctions(everywhere ? group.members : group.core, members)
    let values = nodes.boxes.values
    let held = heldByTasks(core)
    var edges: [Label: (core: [Int], others: [Int])] = [:]
    // The first of a property's classes represents all, and so does the first of a closure's functions.
    var heirs: [String: Int] = [:]
    var first: [String: UInt64] = [:]
    for node in group.core + (everywhere ? group.members.filter { !core.contains($0) } : []) {
      for edge in graph.edges(from: node)
      where members.contains(graph.target(of: edge)) && !group.leftOver.contains(edge)
        && !nodes.boxes.isLeftOver(edge, in: graph)
      {
        let target = graph.target(of: edge)
        // A closure that captures one object has it as its context, so the property's edge is also the capture.
        let isObject = graph.type(of: target).kind == .object
        var own = (isObject ? graph.function(of: edge) : nil) ?? functions[node]
        let isContext = functions[node] != nil || graph.type(of: node).kind == .closure
        let isCapture = own != nil || isContext && !values.contains(node)
        let isVariable = nodes.boxes.variables.contains(node)
        let property = isCapture ? nil : graph.property(of: edge)
        let typeName = graph.type(of: node).name
        let declarer = property.flatMap { classes.declarer(of: $0, in: typeName)?.withoutTypeArguments }
        // Whatever holds a known closure, the capture is the same.
        var type = own == nil || isVariable ? graph.typeIndex(of: node) : graph.typeIndex(of: target)
        if let declarer, let property {
          type = heirs["\(declarer).\(property)", default: type]
          heirs["\(declarer).\(property)"] = type
        }
        if let function = own {
          let identity = closures.identity(of: function)
          if isCapture, !isVariable, held.contains(identity) { continue }
          own = first[identity, default: function]
          first[identity] = own
        }
        let label = Label(
          type: type, property: property,
          function: isVariable ? capturer(of: node, members, functions) : own,
          captured: isCapture ? graph.typeIndex(of: target) : 0, declarer: declarer, isVariable: isVariable)
        if core.contains(node), core.contains(target) {
          edges[label, default: ([], [])].core.append(edge)
        } else {
          edges[label, default: ([], [])].others.append(edge)
        }
      }
    }
    let tasks = ending(withDragged ? members : core)
    let changes = edges.compactMap { label, edges -> Candidate? in
      if edges.core.isEmpty { return withDragged ? dragged(label, edges.others, members) : nil }
      guard var candidate = candidate(label, edges.core) else { return nil }
      // Clearing affects one object; a changed declaration or capture affects all.
      switch candidate.change {
      case .captureWeakly, .makeWeak, .weakenInside: candidate.others = edges.others
      default: break
      }
      return candidate
    }
    let all = changes + emptiedCaches(members) + closedChannels(group) + (tasks.map { [$0] } ?? [])
    return all.sorted { Self.order($0) < Self.order($1) }
  }

  /// A change outside of the cycle, if the reference is part of another one.
  private func dragged(_ label: Label, _ edges: [Int], _ members: Set<Int>) -> Candidate? {
    guard edges.prefix(8).contains(where: { graph.isInCycle($0, within: members) }),
      let candidate = candidate(label, edges)
    else { return nil }
    return Candidate(
      change: candidate.change, rank: candidate.rank, age: candidate.age, edges: [], others: candidate.edges)
  }

  func targets(of node: Int) -> [Int] { graph.edges(from: node).map { graph.target(of: $0) } }

  /// The function of a closure that captured a variable.
  private func capturer(of variable: Int, _ core: Set<Int>, _ functions: [Int: UInt64]) -> UInt64? {
    core.sorted().first { node in graph.edges(from: node).contains { graph.target(of: $0) == variable } }.flatMap {
      functions[$0]
    }
  }

  private static func order(_ candidate: Candidate) -> (Int, UInt64, String) {
    // Of two captures, the younger object's comes first: older ones serve many.
    (candidate.rank, candidate.rank == 0 ? .max - candidate.age : candidate.age, "\(candidate.change)")
  }

  /// The functions of the closures whose contexts are among some nodes.
  private func contextFunctions(_ list: [Int], _ members: Set<Int>) -> [Int: UInt64] {
    var result: [Int: UInt64] = [:]
    for node in list {
      for edge in graph.edges(from: node) {
        let target = graph.target(of: edge)
        guard members.contains(target), [.closure, .box].contains(graph.type(of: target).kind),
          let function = graph.function(of: edge)
        else { continue }
        result[target] = function
      }
    }
    return result
  }

  private func candidate(_ label: Label, _ edges: [Int]) -> Candidate? {
    proposal(label, edges).map { candidate in
      let shown = needed.contains(candidate.change) ? demoted(candidate) : candidate
      return isInside(shown.change) ? shown.ranked(9) : shown
    }
  }

  private func proposal(_ label: Label, _ edges: [Int]) -> Candidate? {
    let type = graph.types[label.type]
    let targets = edges.map { graph.target(of: $0) }
    let age = targets.map(nodes.age).min() ?? .max
    if label.isVariable {
      return Candidate(change: .clearVariable(function: label.function), rank: 4, age: age, edges: edges)
    }
    if label.property == nil {
      // A capture's target can be weak if it is an object. Library closures cannot be changed.
      guard label.function != nil || type.kind == .closure && label.captured != 0,
        graph.types[label.captured].kind == .object, !(label.function.map(closures.isLibrary) ?? false)
      else { return nil }
      return Candidate(
        change: .captureWeakly(className: graph.types[label.captured].name, function: label.function), rank: 0,
        age: age, edges: edges)
    }
    guard let (className, property) = declaration(label) else { return nil }
    // A struct, an enum or the like cannot itself be weak, but its contents can.
    let isValue = edges.contains { graph.field(of: $0).map { $0.content != .object } ?? false }
    let isHeld = targets.allSatisfy { graph.type(of: $0).kind == .object || nodes.boxes.values.contains($0) }
    if isValue, isHeld {
      let back = edges.count { leadsBack($0) }
      let rank = Self.isBackReference(property) ? 1 : back == edges.count ? 2 : back > 0 ? 3 : 6
      // What a mutex protects has no ownership of its own.
      if edges.allSatisfy({ graph.field(of: $0)?.clearing == .protectedByNil }) {
        return clearing(className, property, rank: back > 0 ? 3 : 6, age: age, edges)
      }
      let isExistential = edges.allSatisfy { graph.field(of: $0)?.content == .existential }
      let change = LeakCut.Change.weakenInside(
        className: className, property: property, isExistential: isExistential)
      return Candidate(change: change, rank: rank, age: age, edges: edges)
    }
    guard targets.allSatisfy({ graph.type(of: $0).kind == .object }) else {
      let isLikely = targets.allSatisfy { graph.type(of: $0).kind == .closure } || edges.allSatisfy(holdsOlder)
      let rank = isLikely ? 4 : 5
      return clearing(className, property, rank: rank, age: age, edges)
    }
    let back = edges.filter { leadsBack($0) }
    if Self.isBackReference(property) || back.count == edges.count {
      let change = LeakCut.Change.makeWeak(className: className, property: property)
      return Candidate(change: change, rank: Self.isBackReference(property) ? 1 : 2, age: age, edges: edges)
    }
    return back.isEmpty
      ? clearing(className, property, rank: 6, age: age, edges) : clearing(className, property, rank: 3, age: age, back)
  }

  private func demoted(_ candidate: Candidate) -> Candidate {
    guard let (className, property) = candidate.change.weakenedProperty else {
      return Candidate(change: candidate.change, rank: max(candidate.rank, 3), age: 0, edges: candidate.edges)
    }
    return clearing(className, property, rank: 7, age: candidate.age, candidate.edges)
  }

  private func clearing(_ className: String, _ property: String, rank: Int, age: UInt64, _ edges: [Int]) -> Candidate {
    let fields = edges.map { graph.field(of: $0) }
    let isConstant = fields.allSatisfy { $0?.isConstant == true }
    var way = fields.first.flatMap { $0?.clearing } ?? .unknown, property = property
    if way == .withValue, let dot = property.lastIndex(of: ".") {
      (way, property) = (.byNil, String(property[..<dot]))
    }
    if !isConstant, areToContexts(edges) {
      let change = LeakCut.Change.giveUpContext(className: className, property: property)
      return Candidate(change: change, rank: rank, age: age, edges: edges)
    }
    let change: LeakCut.Change =
      isConstant
      ? .clearConstant(className: className, property: property, way)
      : .clear(className: className, property: property, way)
    return Candidate(change: change, rank: isConstant ? 8 : rank, age: age, edges: edges)
  }

  /// The class or struct of the program's own that declares the property, and its name there.
  private func declaration(_ label: Label) -> (className: String, property: String)? {
    let type = graph.types[label.type]
    guard let property = label.property else { return nil }
    // A box has the parts of a struct of the program, with its name before them; so has that of an error.
    if [.box, .closure, .other].contains(type.kind), let dot = property.firstIndex(of: ".") {
      return (String(property[..<dot]), String(property[property.index(after: dot)...]))
    }
    // Properties of library classes cannot be changed, nor those that the compiler declares.
    guard type.kind == .object, type.isOwn, !classes.isSynthesized(property, of: type.name),
      label.declarer != nil || !classes.isInherited(property, by: type.name)
    else { return nil }
    return (label.declarer ?? type.name, property)
  }

  /// From the younger object to the older, or to itself.
  private func leadsBack(_ edge: Int) -> Bool {
    let source = graph.source(of: edge), target = graph.target(of: edge)
    return nodes.age(source) >= nodes.age(target) && nodes.age(target) != .max
  }

  /// Whether all objects in the array or the like that an edge refers to are older than the one that has it.
  private func holdsOlder(_ edge: Int) -> Bool {
    let source = graph.source(of: edge), storage = graph.target(of: edge)
    guard graph.type(of: storage).kind == .storage, nodes.age(source) != .max else { return false }
    let objects = targets(of: storage).filter { graph.type(of: $0).kind == .object }
    return !objects.isEmpty && objects.allSatisfy { nodes.age($0) < nodes.age(source) }
  }

  private static let backReferences = [
    "delegate", "datasource", "parent", "owner", "target", "observer", "listener", "superview", "container", "previous",
    "prev", "before", "predecessor", "presenter", "coordinator", "controller", "output", "host",
  ]

  static func isBackReference(_ property: String) -> Bool {
    let part = property[(property.lastIndex(of: ".").map(property.index(after:)) ?? property.startIndex)...]
    let name = part.drop { $0 == "_" || $0 == "$" }
    let lower = name.lowercased()
    return backReferences.contains(where: lower.hasSuffix)
      || ["parent", "previous", "prev"].contains {
        // "prevNode", but not "preview".
        name.hasPrefix($0) && name.dropFirst($0.count).first?.isUppercase ?? true
      }
  }
}
