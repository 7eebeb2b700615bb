extension HeapSnapshot {
  /// The snapshot with objects as roots that may belong to variables of functions that have not returned.
  ///
  /// Optimized code keeps no variable that it does not need any more, and nothing then refers to the object until the
  /// function returns, which it may never do. Without a recording, and where functions have no names, nothing tells
  /// which objects such functions had, but there are not more of one class than calls. `remedy` says what would tell.
  /// `groups` are the graph's lost groups, if they are known.
  public func keepingRunningVariables(
    of groups: [LostGroup]? = nil, remedy: String = "lifeline check distinguishes it", isOptimized: (UInt64) -> Bool?
  ) -> HeapSnapshot {
    guard refusal == nil else { return self }
    let all = groups ?? LostGroup.groups(in: graph)
    let known = KnownReferences(graph, to: all)
    let groups = all.filter { group in group.core.contains { graph.isReferredElsewhere($0, known: known) } }
    guard !groups.isEmpty else { return self }
    let returns = (graph.runningCode.joined() + graph.exitCalls).map { $0 &- 1 }
    let resumptions = graph.roots.filter { $0.kind == .task }.flatMap { graph.functions(ofTask: $0.target) }
    let calls = (returns + resumptions).count { isOptimized($0) != false }
    let classes = Dictionary(grouping: groups) { group in
      (group.core + group.members).first(where: graph.isOwnObject).map { graph.type(of: $0).shortName } ?? ""
    }
    let held = classes.filter { $0.value.count <= calls }
    guard !held.isEmpty else { return self }
    let place = "an optimized function that has not returned"
    let whole = graph.keeping(held.values.joined().map { ($0.core, place) })
    let counts = held.filter { !$0.key.isEmpty }.map { "\($0.value.count) \($0.key)" }.sorted().joined(separator: ", ")
    let note =
      "What nothing refers to may belong to variables of optimized functions that have not returned, and is not "
      + "reported\(counts.isEmpty ? "" : ": \(counts)"); \(remedy)."
    return HeapSnapshot(process: process, graph: whole, notes: notes + [note])
  }
}
