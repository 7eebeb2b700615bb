import LifelineHeap
import LifelineReporting
import LifelineSymbolication

/// Describes what keeps an object alive, from the root to the object, in the terminal's columns or 80.
struct HeapPathText {
  private let graph: HeapGraph
  private let symbolicator: Symbolicator
  private let process: Int

  init(_ snapshot: HeapSnapshot, _ symbolicator: Symbolicator) {
    graph = snapshot.graph
    process = snapshot.process
    self.symbolicator = symbolicator
  }

  /// One line for the root and one for each step.
  func text(_ path: HeapPath) -> String {
    var lines = path.root.map { ["  \(text($0))"] } ?? []
    for (index, step) in path.steps.enumerated() {
      let indent = String(repeating: " ", count: 2 + min(index + (path.root == nil ? 0 : 1), 8) * 2)
      let before = index > 0 ? path.steps[index - 1].edge : nil
      lines.append(fitted(indent, name(of: step.node, heldBy: before), reference(step)))
    }
    return lines.map { "\($0)\n" }.joined()
  }

  /// `.entries`, ` (an element)`, ` [closure at View.swift:12]`, ` (Link.owner)` of a box, ` +16`.
  private func reference(_ step: HeapPath.Step) -> String {
    guard let edge = step.edge else { return "" }
    let property = graph.property(of: edge).map { ".\($0)" }
    // What precedes the address of a task's frames is the function in which it resumes, not a closure's.
    if graph.type(of: step.node).kind == .task { return "" }
    if let function = graph.function(of: edge) { return "\(property ?? "") [\(closure(function))]" }
    if let property {
      return [.closure, .box, .other].contains(graph.type(of: step.node).kind) ? " (\(property.dropFirst()))" : property
    }
    return graph.type(of: step.node).kind == .storage ? " (an element)" : " +\(graph.offset(of: edge))"
  }

  private func closure(_ function: UInt64) -> String {
    guard let closure = symbolicator.closure(at: function) else { return "closure" }
    guard let file = closure.file?.split(separator: "/").last, let line = closure.line else { return closure.function }
    return "closure at \(file):\(line)"
  }

  /// "at Feed.swift:12", "in Feed.consume()".
  private func waiting(_ task: Int) -> String? {
    guard let code = symbolicator.place(in: graph.functions(ofTask: task)) else { return nil }
    guard let file = code.file?.split(separator: "/").last, let line = code.line else { return "in \(code.function)" }
    return "at \(file):\(line)"
  }

  /// A node's name for users. A box and a closure context may have the same metadata: the reference to a context has
  /// the closure's function.
  func name(of node: Int, heldBy edge: Int? = nil) -> String {
    let type = graph.type(of: node)
    switch type.kind {
    case .memory: return "memory of \(graph.size(of: node)) bytes"
    case .box: return "box"
    case .closure:
      guard let edge, graph.function(of: edge) == nil else { return "closure context" }
      let holder = graph.type(of: graph.source(of: edge)).kind
      return [.memory, .task].contains(holder) ? "closure context" : "box"
    case .task: return waiting(node).map { "task waiting \($0)" } ?? "task"
    case .object, .storage, .other: return type.name
    }
  }

  private func text(_ root: HeapRoot) -> String {
    let place = graph.places[root.place]
    let file = place.name.split(separator: "/").last.map(String.init) ?? place.name
    switch root.kind {
    case .global:
      guard let symbol = symbolicator.symbol(at: root.address) else {
        return "global data of \(file) at 0x\(String(root.address &- place.base, radix: 16))"
      }
      let name = symbolicator.shortName(symbol.name)
      let property = name.hasPrefix("static ") ? String(name.dropFirst(7)) : nil
      return fitted(property == nil ? "global variable " : "static variable ", property ?? name, " of \(file)")
    case .task: return "live task"
    case .queue: return "kernel event queue"
    case .threadLocal: return "thread-local variable of \(thread(place))"
    case .stack: return "stack of \(thread(place))"
    case .register: return "register of \(thread(place))"
    case .variable: return fitted("variable of ", place.name, "")
    case .memory:
      if let holder = graph.node(containing: root.address) {
        // Not one of its references, but a closer look found the address of another block in it.
        let offset = root.address - graph.addresses[holder]
        return fitted("an address at byte \(offset) of ", name(of: holder), "")
      }
      return place.name.isEmpty ? "memory outside malloc" : "memory of \(place.name)"
    }
  }

  private func thread(_ place: HeapPlace) -> String {
    if place.base == UInt64(process) { return "the main thread" }
    return place.name.isEmpty ? "a thread" : "thread \(place.base) (\(place.name))"
  }

  /// A line in which a name is shortened; the text before and after it is kept.
  private func fitted(_ before: String, _ name: String, _ behind: String) -> String {
    let room = (Console.width ?? 80) - before.count - behind.count
    return before + name.shortened(to: max(16, room)) + behind
  }
}
