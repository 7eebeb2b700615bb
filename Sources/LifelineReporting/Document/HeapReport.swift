import LifelineAnalysis
import LifelineHeap
import LifelineLifetimes

/// Adds names to the heap's facts.
struct HeapReport {
  let snapshot: HeapSnapshot
  let diagnosis: Diagnosis
  let names: Names

  var report: Report.Heap {
    if let refusal = snapshot.refusal {
      return Report.Heap(
        isExamined: false, reason: refusal, reachableBytes: 0, reachableCount: 0, lostCount: 0, lostBytes: 0, kept: [])
    }
    let leaks = diagnosis.findings.compactMap(\.leak)
    let tree = diagnosis.retained
    return Report.Heap(
      isExamined: true, reason: nil, reachableBytes: tree?.totalBytes ?? 0, reachableCount: tree?.totalCount ?? 0,
      lostCount: leaks.reduce(0) { $0 + $1.totalObjects }, lostBytes: leaks.reduce(0) { $0 + $1.totalBytes },
      kept: tree?.top.map(kept) ?? [])
  }

  private func kept(_ entry: RetainedTree.Entry) -> Report.Heap.Kept {
    Report.Heap.Kept(
      class: entry.className, count: entry.count, retainedBytes: entry.retainedBytes,
      retainedCount: entry.retainedCount,
      root: entry.root.map { Self.name($0.kind) }, rootName: entry.root.flatMap(rootName),
      children: entry.children.map(kept))
  }

  static func name(_ kind: HeapRoot.Kind) -> String {
    switch kind {
    case .global: "global"
    case .task: "task"
    case .queue: "queue"
    case .threadLocal: "thread-local"
    case .stack, .variable: "stack"
    case .register: "register"
    case .memory: "memory"
    }
  }

  private func rootName(_ root: HeapRoot) -> String? {
    if root.kind == .global, let symbol = names.function(at: root.address) { return symbol }
    let place = snapshot.graph.places[root.place].name
    return place.isEmpty ? nil : place.split(separator: "/").last.map(String.init)
  }
}
