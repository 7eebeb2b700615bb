import LifelineLifetimes

/// A reference path on one line: "Pane.model → Model.onChange → closure at Preferences.swift:57 → Pane".
///
/// Storage is omitted, because the property before it is sufficient, except for a box, which has the struct's property;
/// of several steps within the toolchain's libraries only the first is shown, and of a long path only the ends.
struct PathText {
  private let steps: [Report.PathStep]
  private static let limit = 12

  init(_ steps: [Report.PathStep]) { self.steps = steps }

  var text: String {
    let parts = outsideLibraries(namedParts(Self.brief))
    guard parts.count > Self.limit else { return parts.joined(separator: " → ") }
    let left = parts.count - Self.limit
    return (parts.prefix(7) + ["… (\(Quantity.number(left)) more)"] + parts.suffix(5)).joined(separator: " → ")
  }

  /// The text with each step once: paths through a list or a tree differ only in how often they repeat one.
  var shape: String {
    var seen: Set<String> = []
    return namedParts(Self.short).map(\.text).filter { seen.insert($0).inserted }.joined(separator: " → ")
  }

  private static let libraryLimit = 3

  /// The parts with "…" for those that follow the first of many within libraries.
  private func outsideLibraries(_ parts: [(text: String, index: Int)]) -> [String] {
    var result: [String] = []
    var run = 0
    for (text, index) in parts {
      run = isInLibrary(index) ? run + 1 : 0
      if run < Self.libraryLimit {
        result.append(text)
      } else if run == Self.libraryLimit {
        result[result.count - 1] = "…"
      }
    }
    return result
  }

  /// Whether a step is an object of a library that Swift programs come with, or a closure without a place between such.
  private func isInLibrary(_ index: Int) -> Bool {
    guard steps[index].kind == "closure" else { return isOfLibrary(steps[index]) }
    let before = steps[..<index].last { $0.kind != "closure" }
    let after = steps[(index + 1)...].first { $0.kind != "closure" }
    // The program's own closure leads to an object of the program.
    return (steps[index].location ?? steps[index].creation) == nil && before.map(isOfLibrary) ?? false
      && after.map(isOfLibrary) ?? false
  }

  private func isOfLibrary(_ step: Report.PathStep) -> Bool {
    let module = step.class.prefix { $0 != "." }
    return ["property", "storage"].contains(step.kind) && Self.libraries.contains(String(module))
  }

  private static let libraries: Set = ["Swift", "Foundation", "Observation", "Dispatch", "Synchronization"]

  private func namedParts(_ name: (String) -> String) -> [(text: String, index: Int)] {
    parts(name) { step in
      switch step.kind {
      case "variable": Self.variable(step)
      case "task": Self.waiting(step)
      default: step.location.map { "closure at \($0)" } ?? Self.closureName(step) ?? "closure"
      }
    }
  }

  /// The part that is the same after edits and in every run: classes and properties, each once.
  var identity: String {
    var seen: Set<String> = []
    let all = parts(Self.short) { $0.kind == "task" ? "a waiting task" : $0.kind }
    return all.map(\.text).filter { seen.insert($0).inserted }.joined(separator: " ")
  }

  /// "Model.onChange holds Pane#1", "the closure holds Pane#1".
  static func sentence(_ step: Report.PathStep, next: Report.PathStep?) -> String {
    let own = step.object ?? short(step.class)
    let holder =
      switch step.kind {
      case "closure": "the closure\(step.location.map { " at \($0)" } ?? "")"
      case "memory": "memory of \(Quantity.bytes(step.bytes ?? 0))"
      case "task": waiting(step)
      case "variable": "the \(variable(step))"
      case "storage": step.property ?? "the storage \(short(step.class))"
      default: step.property.map { "\(own).\($0)" } ?? own
      }
    guard let next else { return own }
    return "\(holder) holds \(next.object ?? held(next))"
  }

  /// "captured variable step of Parser.swift:7".
  static func variable(_ step: Report.PathStep) -> String {
    "captured variable\(step.property.map { " \($0)" } ?? "")\(step.location.map { " of \($0)" } ?? "")"
  }

  /// The name of a closure without a line.
  static func closureName(_ step: Report.PathStep) -> String? {
    MethodReference(step.function).map { "method used in \($0.function)" } ?? step.function
  }

  /// "a task waiting at Poller.swift:10", or the function, if known. A task that waits nowhere may have finished.
  private static func waiting(_ step: Report.PathStep) -> String {
    step.location.map { "a task waiting at \($0)" } ?? step.function.map { "a task waiting in \($0)" } ?? "a task"
  }

  private static func held(_ step: Report.PathStep) -> String {
    switch step.kind {
    case "closure": "a closure"
    case "variable": "a captured variable"
    case "memory": "memory"
    case "task": "a task"
    default: short(step.class)
    }
  }

  /// `made` names closures and captured variables.
  private func parts(
    _ name: (String) -> String, _ made: (Report.PathStep) -> String
  ) -> [(text: String, index: Int)] {
    steps.indices.compactMap { index in part(index, name(steps[index].class), made).map { ($0, index) } }
  }

  private func part(_ index: Int, _ name: String, _ made: (Report.PathStep) -> String) -> String? {
    let step = steps[index]
    switch step.kind {
    case "closure", "variable", "task": return made(step)
    case "global": return "global \(step.property ?? "variable")"
    case "stack", "register": return "the stack of \(step.property ?? "a thread")"
    case "thread-local": return "thread-local data\(step.property.map { " of \($0)" } ?? "")"
    case "queue": return "the kernel's event queue\(step.property.map { " \($0)" } ?? "")"
    case "memory" where step.property != nil && step.bytes == nil: return "memory of \(step.property!)"
    case "memory" where index > 0 && steps[index - 1].kind == "task": return "its frames"
    case "memory": return step.bytes.map { "\(Quantity.bytes($0)) of memory" } ?? "memory"
    case "storage": return step.property ?? (index == steps.count - 1 ? name : nil)
    default: return step.property.map { "\(name).\($0)" } ?? name
    }
  }

  /// The name without its module and without long type arguments, which would hide the rest of the path.
  static func brief(_ name: String) -> String {
    let short = short(name)
    guard let begin = short.firstIndex(of: "<"), let end = short.lastIndex(of: ">"),
      short.distance(from: begin, to: end) > argumentLimit
    else { return short }
    return short[...begin] + "…" + short[end...]
  }

  private static let argumentLimit = 40

  /// The name without its module.
  static func short(_ name: String) -> String { ObjectID(className: name, number: 1).shortClassName }
}
