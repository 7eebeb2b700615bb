import LifelineHeap

/// SwiftNIO's objects that refer to each other by design until a call ends that (ChannelPipeline.swift,
/// EventLoopFuture.swift and Embedded.swift of swift-nio). Nobody would make these references weak.
extension LeakCutInspector {
  private static let pipeline = "NIOCore.ChannelPipeline", context = "NIOCore.ChannelHandlerContext"
  private static let future = "NIOCore.EventLoopFuture<", testing = "NIOEmbedded."
  private static let handlers = ["inboundHandler", "outboundHandler"]
  /// What a pipeline, and its contexts, set to nil when their channel is closed.
  private static let cleared = [pipeline: ["head", "tail", "_channel"], context: ["next", "prev"]]

  /// The closing of open channels, if that frees everything, at the latest when the handlers, which are told, have
  /// given up their contexts.
  func closing(_ group: LostGroup) -> ProvenCut? { whole(closedChannels(group).map { [$0] }, group) }

  /// The completion of promises, and whatever else must end with it, if that frees everything.
  func completion(_ group: LostGroup) -> ProvenCut? {
    func choices(_ some: Candidate?) -> [[Candidate]] { [[]] + (some.map { [[$0]] } ?? []) }
    let closings = [[]] + closedChannels(group).map { [$0] }
    let runs = choices(ranTasks(group))
    let all = choices(completedPromises(group)).flatMap { completed in
      closings.flatMap { closed in runs.map { completed + closed + $0 } }
    }
    return whole(all.filter { !$0.isEmpty }, group)
  }

  /// The closing of channels, where a handler may free the rest when it is removed: it leads to all that remains.
  func removal(_ group: LostGroup) -> ProvenCut? {
    guard let closed = closedChannels(group).first else { return nil }
    let changes = [closed] + (ranTasks(group).map { [$0] } ?? [])
    let taken = Set(changes.flatMap(\.edges))
    let result = EdgeCut(taken, elsewhere: elsewhere, of: group, in: graph)
    let handlers = handlers(group).intersection(result.kept)
    guard let handler = oldest(handlers) else { return nil }
    var reached: Set<Int> = [], next = Array(handlers)
    while let node = next.popLast() {
      guard reached.insert(node).inserted else { continue }
      next += graph.edges(from: node).filter { !taken.contains($0) }.map { graph.target(of: $0) }
    }
    guard reached.isSuperset(of: result.kept.filter(nodes.isOwn)) else { return nil }
    let cut = LeakCut(
      changes: changes.map(\.change), freed: nodes.count(result.freed), bytes: nodes.bytes(result.freed),
      isWhole: false, breaker: name(handler))
    return ProvenCut(cut: cut, candidates: changes)
  }

  private func whole(_ all: [[Candidate]], _ group: LostGroup) -> ProvenCut? {
    all.lazy.compactMap { proven($0, group) }.first(where: \.cut.isWhole)
  }

  /// Without, and with, the contexts that handlers must give up then.
  func closedChannels(_ group: LostGroup) -> [Candidate] {
    let pipelines = group.members.filter { name($0) == Self.pipeline }
    let channels = pipelines.flatMap { graph.edges(from: $0) }.filter { graph.property(of: $0) == "_channel" }
    guard !channels.isEmpty else { return [] }
    var ended: [Int] = []
    for node in group.members {
      let own = Self.cleared[name(node)] ?? []
      for edge in graph.edges(from: node) {
        guard let property = graph.property(of: edge) else { continue }
        if own.contains(property) { ended.append(edge) }
        // Who waits for the close is called then.
        let target = graph.target(of: edge)
        if property.contains("closePromise"), isFuture(target) { ended += callbacks(of: target) }
      }
    }
    let kept = handlers(group).flatMap { graph.edges(from: $0) }.filter { name(graph.target(of: $0)) == Self.context }
    let classes = Set(channels.map { name(graph.target(of: $0)) }).sorted()
    func candidate(_ edges: [Int], _ handlers: Set<String>) -> Candidate {
      self.candidate(.close(classes, handlers: handlers.sorted()), edges, of: channels.map { graph.target(of: $0) })
    }
    let names = Set(kept.map { name(graph.source(of: $0)) })
    return [candidate(ended, [])] + (kept.isEmpty ? [] : [candidate(ended + kept, names)])
  }

  private func handlers(_ group: LostGroup) -> Set<Int> {
    let edges = group.members.filter { name($0) == Self.context }.flatMap { graph.edges(from: $0) }
    let held = edges.filter { edge in graph.property(of: edge).map(Self.handlers.contains) ?? false }
    return Set(held.map { graph.target(of: $0) })
  }

  private func oldest(_ nodes: Set<Int>) -> Int? {
    nodes.min { (self.nodes.age($0), $0) < (self.nodes.age($1), $1) }
  }

  /// What is scheduled on event loops made for tests, which run it only when they are told to.
  private func ranTasks(_ group: LostGroup) -> Candidate? {
    let loops = group.members.filter { name($0).hasPrefix(Self.testing) }
    let edges = loops.flatMap { graph.edges(from: $0) }.filter { graph.property(of: $0) == "scheduledTasks" }
    let holders = edges.map { graph.source(of: $0) }
    return holders.first.map { candidate(.runTasks(className: name($0)), edges, of: holders) }
  }

  /// What waits for a promise is called, and given up, when it is completed.
  private func completedPromises(_ group: LostGroup) -> Candidate? {
    let edges = group.members.filter(isFuture).flatMap(callbacks)
    let futures = Set(edges.map { graph.source(of: $0) })
    guard let oldest = oldest(futures) else { return nil }
    return candidate(.complete(className: name(oldest), count: futures.count), edges, of: [oldest])
  }

  private func candidate(_ change: LeakCut.Change, _ edges: [Int], of objects: [Int]) -> Candidate {
    Candidate(change: change, rank: 4, age: objects.map(nodes.age).min() ?? .max, edges: edges)
  }

  /// Whether references are handlers' to their own contexts, which they can give up when they are removed.
  func areToContexts(_ edges: [Int]) -> Bool {
    edges.allSatisfy { edge in
      let target = graph.target(of: edge)
      return name(target) == Self.context && targets(of: target).contains(graph.source(of: edge))
    }
  }

  /// Whether there is no proposal, or one that changes SwiftNIO.
  func isMissing(_ cut: LeakCut?) -> Bool { cut?.changes.contains(where: isInside) ?? true }

  /// Whether a change is to SwiftNIO, which its users can hardly make.
  func isInside(_ change: LeakCut.Change) -> Bool { module(change).map(Self.isInFramework) ?? false }

  /// Whether a module, or that of a class by its full name, is of SwiftNIO or of the packages that extend it.
  static func isInFramework(_ name: String) -> Bool { modules.contains(PackageCycles.module(name)) }

  private static let modules: Set = [
    "NIOCore", "NIOPosix", "NIOEmbedded", "NIOConcurrencyHelpers", "NIOFoundationCompat", "NIOTLS", "NIOHTTP1",
    "NIOWebSocket", "NIOTestUtils", "NIOSSL", "NIOHTTP2", "NIOHPACK", "NIOSSH", "NIOExtras", "NIOHTTPCompression",
    "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOHTTPTypesHTTP2", "NIOResumableUpload", "NIOSOCKS", "NIOTransportServices",
  ]

  private func name(_ node: Int) -> String { graph.type(of: node).name }

  private func isFuture(_ node: Int) -> Bool { name(node).hasPrefix(Self.future) }

  private func callbacks(of future: Int) -> [Int] {
    graph.edges(from: future).filter { graph.property(of: $0)?.hasPrefix("_callbacks") == true }
  }
}
