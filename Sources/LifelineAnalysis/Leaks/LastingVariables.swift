import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Unreachable objects that variables of functions hold which will not return: they were running when one of them
/// called `exit`, or the main thread ended in them, as in `dispatchMain()`.
///
/// What never returns needs no variables, so optimized code does not keep them for it, and an ended thread's stack is
/// overwritten: nothing refers to their objects any more, but they are not leaks. Which variables there were is not
/// known. An object counts as one's if the running function allocated it, or called a function that may have returned
/// it, or if the ended main thread allocated it; of several with the same backtrace only the youngest.
struct LastingVariables {
  let nodes: LostNodes
  let sites: CallSiteTable
  let isMainThread: (UInt32) -> Bool

  /// Objects of one group that are examined.
  private static let limit = 1_000

  /// The graph with these objects as roots. O(unreachable nodes).
  func keeping() -> HeapGraph {
    let functions = running
    guard !functions.isEmpty || nodes.graph.hasMainThreadEnded else { return nodes.graph }
    var held: [BacktraceID: (age: UInt64, core: [Int], place: String)] = [:]
    for group in LostGroup.groups(in: nodes.graph, HeapReachability(nodes.graph)) {
      let own = group.core.filter(nodes.isOwn)
      let candidates = own.isEmpty ? group.members.filter(nodes.isOwn) : own
      for node in candidates.prefix(Self.limit) {
        guard let object = nodes.recorded(node), held[object.allocation]?.age ?? 0 < object.allocationSequence,
          let place = place(of: object, node, functions)
        else { continue }
        held[object.allocation] = (object.allocationSequence, group.core, place)
      }
    }
    return nodes.graph.keeping(held.values.map { ($0.core, $0.place) })
  }

  /// The optimized functions on the stack.
  private var running: Set<String> {
    var names: Set<String> = []
    for address in nodes.graph.exitCalls {
      let call = BacktraceEntry(returnAddress: address)
      guard sites.isOptimized(call) != false else { continue }
      names.formUnion(sites.functions(at: call).lazy.filter { !$0.isLibrary }.map(\.frame.function))
    }
    return names
  }

  /// Where a variable may hold an object.
  private func place(of object: TrackedObject, _ node: Int, _ functions: Set<String>) -> String? {
    if nodes.graph.hasMainThreadEnded, isMainThread(object.allocationThread) { return HeapGraph.endedThread }
    let frames = sites.facts(object.allocation).flatMap { $0 }
    guard let place = frames.firstIndex(where: { functions.contains($0.frame.function) && !$0.isLibrary }) else {
      return nil
    }
    let typeName = nodes.graph.type(of: node).shortName.withoutTypeArguments
    let callee = frames[..<place].last { frame in
      frame.isMeaningful
        && !(frame.name.role == .initializer && frame.name.typeName?.withoutTypeArguments == typeName)
    }
    guard callee.map(mayReturn) ?? true else { return nil }
    return "\(frames[place].frame.function), which ran when the program called exit"
  }

  /// Whether a function may return an object that was allocated in it. A class's initializer returns its own object.
  private func mayReturn(_ callee: FrameFacts) -> Bool {
    if callee.isLibrary { return true }
    return !callee.isResultless && !callee.isInitializerOfClass
  }
}

extension HeapSnapshot {
  /// The snapshot with objects as roots that variables of functions hold which will not return; it may read the trace.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func keepingLastingVariables(_ trace: Trace, names: any CodeNaming) throws -> HeapSnapshot {
    guard mayHaveLastingVariables, !LostGroup.groups(in: graph, HeapReachability(graph)).isEmpty else { return self }
    let tracker = try LifetimeSummary(trace).tracker
    return keepingLastingVariables(
      trace, tracker, CallSiteTable(tracker.backtraces, trace.tables, names: names, rules: HoldRules()))
  }

  func keepingLastingVariables(_ trace: Trace, _ tracker: LifetimeTracker, _ sites: CallSiteTable) -> HeapSnapshot {
    guard mayHaveLastingVariables else { return self }
    let whole = LastingVariables(
      nodes: LostNodes(graph, tracker), sites: sites, isMainThread: trace.isMainThread
    ).keeping()
    return HeapSnapshot(process: process, graph: whole, notes: notes)
  }

  private var mayHaveLastingVariables: Bool {
    refusal == nil && (!graph.exitCalls.isEmpty || graph.hasMainThreadEnded)
  }
}
