import LifelineHeap

/// Puts names on a way through the heap: the root, then each object with the property that leads on.
struct PathReport {
  let snapshot: HeapSnapshot
  let names: Names
  private var graph: HeapGraph { snapshot.graph }

  func steps(_ path: HeapPath) -> [Report.PathStep] {
    var steps = path.root.map { [root($0)] } ?? []
    for step in path.steps {
      let type = graph.type(of: step.node)
      let kind =
        switch type.kind {
        case .object: "property"
        case .closure: "closure"
        case .storage, .box, .other: "storage"
        case .task: "task"
        case .memory: "memory"
        }
      steps.append(
        Report.PathStep(
          class: type.name, property: step.edge.flatMap { graph.property(of: $0) }, kind: kind,
          bytes: graph.size(of: step.node)))
    }
    return steps
  }

  private func root(_ root: HeapRoot) -> Report.PathStep {
    let place = graph.places[root.place].name
    var name: String? = place.isEmpty ? nil : place.split(separator: "/").last.map(String.init)
    if root.kind == .global, let symbol = names.function(at: root.address) { name = symbol }
    return Report.PathStep(class: "", property: name, kind: HeapReport.name(root.kind))
  }
}
