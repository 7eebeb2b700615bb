import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes

/// Describes lost groups, one paragraph per kind: those of the same classes and properties are counted together.
struct LostGroupText {
  private let graph: HeapGraph
  private let paths: HeapPathText
  private let groups: [LostGroup]
  /// Groups without any object of the classes selected for the recording.
  let excluded: Int

  /// - Throws: `TraceError` if the trace can no longer be read.
  init(_ subject: HeapSubject) throws {
    graph = subject.snapshot.graph
    paths = HeapPathText(subject.snapshot, subject.symbolicator)
    let heap = graph
    let all = LostGroup.groups(in: heap)
    if let trace = subject.trace, trace.recording.isFiltered {
      let chosen = try ChosenObjects(trace.recording, LifetimeSummary(trace).tracker)
      groups = all.filter { chosen.concern($0, in: heap) }
    } else {
      groups = all
    }
    excluded = all.count - groups.count
  }

  var isEmpty: Bool { groups.isEmpty }

  /// Kinds by number of objects, largest first; the same heap gives the same text.
  var text: String {
    guard !groups.isEmpty else { return "No leaks: every object of the program's own classes is reachable.\n" }
    let sorts = Dictionary(grouping: groups, by: description).sorted {
      ($0.value.map(\.members.count).reduce(0, +), $1.key) > ($1.value.map(\.members.count).reduce(0, +), $0.key)
    }
    let members = groups.flatMap(\.members)
    var text = "\(count(groups.count, "leak")): \(size(members)) that nothing reaches.\n"
    for (number, sort) in sorts.enumerated() {
      let more = sort.value.count > 1 ? ", and \(sort.value.count - 1) more like it" : ""
      text +=
        "\n\(number + 1). \(kind(sort.value[0]))\(more); "
        + "\(size(sort.value.flatMap(\.members)))\n\n\(sort.key)"
    }
    return text
  }

  private func kind(_ group: LostGroup) -> String {
    group.isRetainCycle(in: graph) ? "Retain cycle" : waitingTask(group) != nil ? "Lost task" : "Leaked object"
  }

  private func waitingTask(_ group: LostGroup) -> Int? {
    group.isRetainCycle(in: graph) ? nil : graph.youngestTask(of: group.core.filter(graph.isUnfinishedTask))
  }

  /// The cycle, or what nothing refers to, and why it is lost.
  private func description(_ group: LostGroup) -> String {
    // By name, because addresses differ from cycle to cycle, and equal cycles must read the same.
    let own = group.core.filter { graph.type(of: $0).isOwn && graph.type(of: $0).kind == .object }
    let task = waitingTask(group)
    let first = own.min { (graph.type(of: $0).name, $0) < (graph.type(of: $1).name, $1) }
    let start = task ?? first ?? group.core[0]
    if task == nil, group.isCycle, let cycle = graph.cycle(through: start, within: Set(group.core)) {
      return shortened(cycle)
    }
    let count = graph.strongCounts[start]
    let why =
      task != nil
      ? "nothing can resume it"
      : graph.type(of: start).kind == .memory
        ? "nothing refers to it"
        : "its strong count is \(count), but nothing refers to it"
    let kept = group.members.filter { graph.isOwnObject($0) && $0 != start }
    let keeps =
      kept.first.map { "  It keeps \(paths.name(of: $0))\(kept.count > 1 ? " and others" : "").\n" } ?? ""
    return "  \(paths.name(of: start))\n  \(why)\n\(keeps)"
  }

  /// A long cycle's beginning and end.
  private func shortened(_ cycle: HeapPath) -> String {
    guard cycle.steps.count > 12 else { return paths.text(cycle) }
    let first = HeapPath(root: nil, steps: Array(cycle.steps.prefix(6)))
    return "\(paths.text(first))  … \(cycle.steps.count - 7) more, then back to the first\n"
  }

  /// The program's own objects, as `check` counts them, and all memory.
  private func size(_ nodes: [Int]) -> String {
    let objects = nodes.count(where: graph.isOwnObject)
    return "\(count(objects, "object")), \(count(nodes.reduce(0) { $0 + graph.size(of: $1) }, "byte"))"
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
