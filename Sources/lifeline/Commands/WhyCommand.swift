import ArgumentParser
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

/// Prints the path from a root to a live object.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Shows why an object is alive: the shortest path to it from a root.",
    usage: "lifeline why TRACE OBJECT\nlifeline why PID OBJECT",
    discussion: """
      OBJECT is a class, Class#number or an address. A trace shows the end of the program; a running process is \
      paused briefly. Exits with 0, 2 when there is no such object, 3 when the memory could not be examined.
      """)

  @Argument(help: "A trace, or the ID of a running process.")
  var subject: String

  @Argument(help: "The object: a class, Class#number, or an address.")
  var object: String

  @OptionGroup var symbols: SymbolArguments

  func run() throws {
    try Failure.told {
      let subject = try HeapSubject(subject, files: symbols.files)
      if let refusal = subject.refusal {
        subject.trace?.problems.forEach(Console.log)
        Console.log(refusal)
        throw ExitStatus.noVerdict
      }
      Console.printWrapped(try answer(subject))
      for note in subject.snapshot.notes { Console.log(note) }
    }
  }

  private func answer(_ subject: HeapSubject) throws -> String {
    let graph = subject.snapshot.graph
    let nodes = try candidates(subject)
    let reachability = HeapReachability(graph)
    let text = HeapPathText(subject.snapshot, subject.symbolicator)
    // Of several, one that is reachable; unreachable ones are for `leaks`.
    guard let node = nodes.first(where: reachability.isReachable) ?? nodes.first else {
      throw TraceError("There is no object '\(object)'.")
    }
    let lost = nodes.count { !reachability.isReachable($0) }
    let ofWhich = lost == 0 || lost == nodes.count ? "" : "; \(lost) leaked"
    let others = nodes.count > 1 ? " (one of \(nodes.count)\(ofWhich))" : ""
    let name =
      "\(text.name(of: node)) at 0x\(String(graph.addresses[node], radix: 16)), \(graph.size(of: node)) bytes\(others)"
    guard let path = reachability.path(to: node) else {
      return "\(name)\nis leaked: nothing reaches it.\n"
    }
    let task = pathToTask(path.root, in: graph).map { "\nThe task is referred to by\n\n\(text.text($0))" } ?? ""
    return "\(name)\nis kept alive by\n\n\(text.text(path))\(task)"
  }

  /// The path to a live task, which is a root itself because something else refers to it; nil for other roots.
  private func pathToTask(_ root: HeapRoot?, in graph: HeapGraph) -> HeapPath? {
    guard let root, root.kind == .task else { return nil }
    return HeapReachability(graph) { $0.kind == .task }.path(to: root.target)
  }

  /// The matching nodes.
  private func candidates(_ subject: HeapSubject) throws -> [Int] {
    let graph = subject.snapshot.graph
    if object.hasPrefix("0x"), let address = UInt64(object.dropFirst(2), radix: 16) {
      guard let node = graph.node(containing: address) else { throw TraceError("There is no object at \(object).") }
      return [node]
    }
    if object.contains("#"), let trace = subject.trace {
      let summary = try LifetimeSummary(trace)
      let ids = Set(try ObjectQuery(object).resolve(in: trace, summary))
      let nodes = summary.tracker.liveObjects.filter { ids.contains(summary.tracker.id(of: $0)) }.compactMap {
        graph.node(at: $0.address)
      }
      let problems = trace.problems + summary.problems
      for problem in problems { Console.log(problem) }
      guard !nodes.isEmpty else {
        throw TraceError(
          problems.isEmpty
            ? "\(object) was not live when the program ended."
            : "\(object) was not found. The trace is damaged, so objects may have different numbers.")
      }
      return nodes
    }
    if subject.trace == nil, let hash = object.lastIndex(of: "#"), Int(object[object.index(after: hash)...]) != nil {
      let name = object[..<hash]
      throw TraceError(
        "Objects of a running process have no numbers; those come from a recording. Give the class, or an "
          + "address: \(ShellText(["lifeline", "why", self.subject, String(name)]).text)")
    }
    let types = Set(
      graph.types.indices.filter {
        graph.types[$0].kind != .memory && (graph.types[$0].name == object || graph.types[$0].shortName == object)
      })
    let nodes = (0..<graph.count).filter { types.contains(graph.typeIndex(of: $0)) && !graph.isDeinited($0) }
    guard !nodes.isEmpty else {
      let live = Set((0..<graph.count).map(graph.typeIndex(of:))).filter { graph.types[$0].kind != .memory }
      let known = RecordedClasses(live.map { graph.types[$0].name })
      let suggestion = known.nearest(object).map { " Did you mean '\($0)'?" } ?? ""
      throw TraceError("There is no live object of the class '\(object)'.\(suggestion)")
    }
    return nodes
  }
}
