import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Unreachable objects that variables of functions hold which will not return: they were running when one of them
/// called `exit`, they run on another thread or in a task that can go on, or the main thread ended in them, as in
/// `dispatchMain()`.
///
/// What never returns needs no variables, so optimized code does not keep them for it, and an ended thread's stack is
/// overwritten: nothing refers to their objects any more, but they are not leaks. Which variables there were is not
/// known. An object counts as one's if the running function allocated it, or called a function that may have returned
/// it; so it does if the ended main thread allocated it in a function that had not returned when that thread allocated
/// the last object that is live; of several with the same backtrace only the youngest, as many as
/// threads and tasks run the function. Whether other threads' functions go on for ever is unknown, so what they hold
/// must also have a reference that is not found in memory.
struct LastingVariables {
  let nodes: LostNodes
  let sites: CallSiteTable
  let isMainThread: (UInt32) -> Bool
  /// The main thread, if it has ended.
  private let endedThread: EndedThread?

  init(nodes: LostNodes, sites: CallSiteTable, isMainThread: @escaping (UInt32) -> Bool) {
    self.nodes = nodes
    self.sites = sites
    self.isMainThread = isMainThread
    endedThread = nodes.graph.hasMainThreadEnded ? EndedThread(nodes.latest(isMainThread), sites) : nil
  }

  private struct Variable {
    let age: UInt64
    let core: [Int]
    let place: String
  }

  /// Objects of one group that are examined.
  private static let limit = 1_000

  /// The graph with these objects as roots, of its lost `groups`. O(unreachable nodes), with other threads or tasks
  /// O(edges).
  func keeping(_ groups: [LostGroup]) -> HeapGraph {
    let graph = nodes.graph
    let exiting = Set(graph.exitCalls.flatMap { functions(BacktraceEntry(returnAddress: $0)) })
    lazy var tasks = tasksFunctions
    lazy var parts = Set(tasks.joined())
    lazy var others = Dictionary((threadsFunctions + tasks).joined().map { ($0, 1) }, uniquingKeysWith: +)
    lazy var all = exiting.union(others.keys)
    lazy var known = KnownReferences(graph, to: groups)
    var held: [BacktraceID: [Variable]] = [:]
    for group in groups {
      let own = group.core.filter(nodes.isOwn)
      let candidates = own.isEmpty ? group.members.filter(nodes.isOwn) : own
      for node in candidates.prefix(Self.limit) {
        guard let object = nodes.recorded(node) else { continue }
        let isReferred = group.core.contains { graph.isReferredElsewhere($0, known: known) }
        let places =
          isReferred
          ? places(of: object, node, all, parts: parts, isReferred: true, isCore: !own.isEmpty)
          : places(of: object, node, exiting, parts: [], isReferred: false, isCore: !own.isEmpty)
        // A stack also has addresses of calls that have returned, but more threads run what does not return.
        guard let place = places.max(by: { others[$0] ?? 0 <= others[$1] ?? 0 }) else { continue }
        let hasExited = place == HeapGraph.endedThread || places.contains(where: exiting.contains)
        let ending = exiting.contains(place) ? "which ran when the program called exit" : "which has not returned"
        let variable = Variable(
          age: object.allocationSequence, core: group.core,
          place: place == HeapGraph.endedThread ? place : "\(place), \(ending)")
        let most = (hasExited ? 1 : 0) + (isReferred ? others[place] ?? 0 : 0)
        let alike = held[object.allocation, default: []] + [variable]
        held[object.allocation] = Array(alike.sorted { $0.age > $1.age }.prefix(max(most, 1)))
      }
    }
    return graph.keeping(held.values.joined().map { ($0.core, $0.place) })
  }

  /// The optimized functions at a place in the code.
  private func functions(_ call: BacktraceEntry) -> [String] {
    guard sites.isOptimized(call) != false else { return [] }
    return sites.functions(at: call).filter { !$0.isLibrary }.map(\.frame.function)
  }

  /// The optimized functions that each of the other threads runs.
  private var threadsFunctions: [Set<String>] {
    nodes.graph.runningCode.map { code in
      Set(code.flatMap { functions(BacktraceEntry(returnAddress: $0)) })
    }
  }

  /// The optimized functions in which each task that can go on resumes.
  private var tasksFunctions: [Set<String>] {
    nodes.graph.roots.filter { $0.kind == .task }.map { root in
      // A part of a function begins there, and is not returned to.
      Set(nodes.graph.functions(ofTask: root.target).flatMap { functions(BacktraceEntry(returnAddress: $0 &+ 1)) })
    }
  }

  /// The functions with a variable that may hold an object, innermost first, or the ended thread.
  ///
  /// An object that is not in its group's core is in a variable's box or an array, wherever it was allocated.
  private func places(
    of object: TrackedObject, _ node: Int, _ functions: Set<String>, parts: Set<String>, isReferred: Bool, isCore: Bool
  ) -> [String] {
    let typeName = nodes.graph.type(of: node).shortName.withoutTypeArguments
    let calls = sites.facts(object.allocation)
    if let endedThread, isMainThread(object.allocationThread),
      !isCore || mayHold(endedThread.firstRunning(of: object), calls, typeName: typeName, isReferred: isReferred)
    {
      return [HeapGraph.endedThread]
    }
    guard !functions.isEmpty else { return [] }
    var found: [String] = []
    var inner: FrameFacts?
    for call in calls {
      // Where a task resumes, it is unknown which of the functions inlined there run.
      let isPart = call.last.map { parts.contains($0.frame.function) } ?? false
      let called = inner
      for frame in call {
        // A thunk passes on calls of different closures.
        if functions.contains(frame.frame.function), !frame.isLibrary, inner == nil || frame.isMeaningful {
          if (isPart ? called : inner).map({ mayReturn($0, isReferred: isReferred) }) ?? true {
            found.append(frame.frame.function)
          }
          if !isReferred { return found }
        }
        if isCaller(frame, typeName) { inner = frame }
      }
    }
    return found
  }

  /// Whether one of the calls from `first` on may have a variable with an object that was allocated in them.
  private func mayHold(
    _ first: EndedThread.Place, _ calls: [[FrameFacts]], typeName: String, isReferred: Bool
  ) -> Bool {
    var inner: FrameFacts?
    for (site, call) in calls.enumerated() {
      for (index, frame) in call.enumerated() {
        if (site, index) >= (first.site, first.frame), !frame.isLibrary, inner == nil || frame.isMeaningful,
          inner.map({ mayReturn($0, isReferred: isReferred) }) ?? true
        {
          return true
        }
        // What calls it in the program's file is C's.
        if frame.frame.mangledName == "main" { return false }
        if isCaller(frame, typeName) { inner = frame }
      }
    }
    return false
  }

  /// Whether a function may return an object, unlike the object's own initializer and what only passes on a call.
  private func isCaller(_ frame: FrameFacts, _ typeName: String) -> Bool {
    let isOwnInitializer = frame.name.role == .initializer && frame.name.typeName?.withoutTypeArguments == typeName
    return frame.isMeaningful && !isOwnInitializer
  }

  /// Whether a function may return an object that was allocated in it, or store it in the caller's variable, where a
  /// reference is missing then. A class's initializer returns its own object.
  private func mayReturn(_ callee: FrameFacts, isReferred: Bool) -> Bool {
    if callee.neverReturns { return isReferred && callee.mayChangeVariable }
    if callee.isLibrary || isReferred && callee.mayChangeVariable { return true }
    return !callee.returnsNoObject && !callee.isInitializerOfClass
  }
}

extension HeapSnapshot {
  /// The snapshot with objects as roots that variables of functions hold which will not return; it may read the trace.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func keepingLastingVariables(_ trace: Trace, names: any CodeNaming) throws -> HeapSnapshot {
    guard mayHaveLastingVariables, !LostGroup.groups(in: graph).isEmpty else { return self }
    let tracker = try LifetimeSummary(trace).tracker
    return keepingLastingVariables(
      trace, tracker, CallSiteTable(tracker.backtraces, trace.tables, names: names, rules: HoldRules()))
  }

  func keepingLastingVariables(_ trace: Trace, _ tracker: LifetimeTracker, _ sites: CallSiteTable) -> HeapSnapshot {
    guard mayHaveLastingVariables else { return self }
    let groups = LostGroup.groups(in: graph)
    let whole = LastingVariables(
      nodes: LostNodes(graph, tracker), sites: sites, isMainThread: trace.isMainThread
    ).keeping(groups)
    return HeapSnapshot(process: process, graph: whole, notes: notes).keepingRunningVariables(
      of: whole.roots.count == graph.roots.count ? groups : LostGroup.groups(in: whole),
      remedy: "the program's functions have no names, which would distinguish it"
    ) { sites.function(at: $0)?.mangledName == nil }
  }

  private var mayHaveLastingVariables: Bool {
    refusal == nil
      && (!graph.exitCalls.isEmpty || graph.hasMainThreadEnded || !graph.runningCode.isEmpty
        || graph.roots.contains { $0.kind == .task })
  }
}
