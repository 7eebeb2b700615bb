import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Unreachable objects that variables of functions held which were running when one of them called `exit`.
///
/// What never returns needs no variables, so optimized code does not keep them for it: nothing refers to their objects
/// any more, but they are not leaks. Which variables there were is not known. An object counts as one's if the function
/// allocated it, or called a function that may have returned it; of several with the same backtrace only the youngest.
struct ExitVariables {
  let nodes: LostNodes
  let sites: CallSiteTable

  /// Objects of one group that are examined.
  private static let limit = 1_000

  /// The graph with these objects as roots. O(unreachable nodes).
  func keeping() -> HeapGraph {
    let functions = running
    guard !functions.isEmpty else { return nodes.graph }
    var held: [BacktraceID: (age: UInt64, core: [Int], function: String)] = [:]
    for group in LostGroup.groups(in: nodes.graph, HeapReachability(nodes.graph)) {
      let own = group.core.filter(nodes.isOwn)
      let candidates = own.isEmpty ? group.members.filter(nodes.isOwn) : own
      for node in candidates.prefix(Self.limit) {
        guard let object = nodes.recorded(node), held[object.allocation]?.age ?? 0 < object.allocationSequence,
          let function = holder(of: object, node, functions)
        else { continue }
        held[object.allocation] = (object.allocationSequence, group.core, function)
      }
    }
    return nodes.graph.keeping(held.values.map { ($0.core, $0.function) })
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

  /// The running function that may have had an object in a variable.
  private func holder(of object: TrackedObject, _ node: Int, _ functions: Set<String>) -> String? {
    let frames = sites.facts(object.allocation).flatMap { $0 }
    guard let place = frames.firstIndex(where: { functions.contains($0.frame.function) && !$0.isLibrary }) else {
      return nil
    }
    let typeName = nodes.graph.type(of: node).shortName.withoutTypeArguments
    let callee = frames[..<place].last { frame in
      frame.isMeaningful
        && !(frame.name.role == .initializer && frame.name.typeName?.withoutTypeArguments == typeName)
    }
    return callee.map(mayReturn) ?? true ? frames[place].frame.function : nil
  }

  /// Whether a function may return an object that was allocated in it. A class's initializer returns its own object.
  private func mayReturn(_ callee: FrameFacts) -> Bool {
    if callee.isLibrary { return true }
    return !callee.isResultless && !callee.isInitializerOfClass
  }
}

extension HeapSnapshot {
  /// The snapshot with objects as roots that variables held when the program called `exit`; it may read the trace.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func keepingExitVariables(_ trace: Trace, names: any CodeNaming) throws -> HeapSnapshot {
    guard refusal == nil, !graph.exitCalls.isEmpty, !LostGroup.groups(in: graph, HeapReachability(graph)).isEmpty else {
      return self
    }
    let tracker = try LifetimeSummary(trace).tracker
    return keepingExitVariables(
      tracker, CallSiteTable(tracker.backtraces, trace.tables, names: names, rules: HoldRules()))
  }

  func keepingExitVariables(_ tracker: LifetimeTracker, _ sites: CallSiteTable) -> HeapSnapshot {
    guard refusal == nil, !graph.exitCalls.isEmpty else { return self }
    let whole = ExitVariables(nodes: LostNodes(graph, tracker), sites: sites).keeping()
    return HeapSnapshot(process: process, graph: whole, notes: notes)
  }
}
