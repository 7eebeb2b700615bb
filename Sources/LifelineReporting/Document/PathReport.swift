import LifelineHeap

/// Adds names to a path through the heap: the root, then each object with the property that refers to the next.
struct PathReport {
  let snapshot: HeapSnapshot
  let names: Names
  private var graph: HeapGraph { snapshot.graph }

  func steps(_ path: HeapPath) -> [Report.PathStep] {
    var steps: [Report.PathStep] = []
    // A task that can be resumed is itself a root, and the first node of the path.
    if let root = path.root, root.kind != .task { steps.append(self.root(root)) }
    var function: UInt64?
    for step in path.steps {
      steps.append(self.step(step, function: function))
      function = step.edge.flatMap { graph.function(of: $0) }
      guard let code = function, let edge = step.edge, graph.type(of: graph.target(of: edge)).kind == .object else {
        continue
      }
      // A closure whose context is the captured object itself has no node: it becomes a step between the two.
      steps.append(named(Report.PathStep(class: "", kind: "closure"), by: [code]))
      function = nil
    }
    return steps
  }

  private func step(_ step: HeapPath.Step, function: UInt64?) -> Report.PathStep {
    let type = graph.type(of: step.node)
    let kind =
      switch type.kind {
      case .object: "property"
      case .closure: "closure"
      case .box: function == nil ? "storage" : "closure"
      case .storage, .other: "storage"
      case .task: "task"
      case .memory: "memory"
      }
    let plain = Report.PathStep(
      class: type.name, property: step.edge.flatMap { graph.property(of: $0) }, kind: kind,
      bytes: graph.size(of: step.node))
    switch kind {
    case "closure": return named(plain, by: function.map { [$0] } ?? [])
    case "task": return named(plain, by: graph.functions(ofTask: step.node))
    default: return plain
    }
  }

  /// Where a closure is written, or a task waits.
  private func named(_ step: Report.PathStep, by functions: [UInt64]) -> Report.PathStep {
    var step = step
    guard let code = names.symbolicator.place(in: functions) else { return step }
    step.function = code.function
    (step.file, step.line) = (code.file, code.line)
    return step
  }

  private func root(_ root: HeapRoot) -> Report.PathStep {
    let place = graph.places[root.place].name
    var name: String? = place.isEmpty ? nil : place.split(separator: "/").last.map(String.init)
    if root.kind == .global, let symbol = names.function(at: root.address) { name = symbol }
    return Report.PathStep(class: "", property: name, kind: HeapReport.name(root.kind))
  }
}
