import LifelineLifetimes

/// A reference path on one line: "Pane.model → Model.onChange → closure at Preferences.swift:57 → Pane".
///
/// Storage is omitted, because the property before it is sufficient, except for a box, which has the struct's property;
/// of a long path only the ends are shown.
struct PathText {
  private let steps: [Report.PathStep]
  private static let limit = 12

  init(_ steps: [Report.PathStep]) { self.steps = steps }

  var text: String {
    let parts = namedParts(Self.brief)
    guard parts.count > Self.limit else { return parts.joined(separator: " → ") }
    let left = parts.count - Self.limit
    return (parts.prefix(7) + ["… (\(Quantity.number(left)) more)"] + parts.suffix(5)).joined(separator: " → ")
  }

  /// The text with each step once: paths through a list or a tree differ only in how often they repeat one.
  var shape: String {
    var seen: Set<String> = []
    return namedParts(Self.short).filter { seen.insert($0).inserted }.joined(separator: " → ")
  }

  private func namedParts(_ name: (String) -> String) -> [String] {
    parts(name) { step in
      switch step.kind {
      case "variable": "captured variable\(step.location.map { " of \($0)" } ?? "")"
      case "task": Self.waiting(step)
      default: step.location.map { "closure at \($0)" } ?? Self.closureName(step) ?? "closure"
      }
    }
  }

  /// The part that is the same after edits and in every run: classes and properties, each once.
  var identity: String {
    var seen: Set<String> = []
    let all = parts(Self.short) { $0.kind == "task" ? "a waiting task" : $0.kind }
    return all.filter { seen.insert($0).inserted }.joined(separator: " ")
  }

  /// "Model.onChange holds Pane#1", "the closure holds Pane#1".
  static func sentence(_ step: Report.PathStep, next: Report.PathStep?) -> String {
    let own = step.object ?? short(step.class)
    let holder =
      switch step.kind {
      case "closure": "the closure\(step.location.map { " at \($0)" } ?? "")"
      case "memory": "memory of \(Quantity.bytes(step.bytes ?? 0))"
      case "task": waiting(step)
      case "variable": "the captured variable\(step.location.map { " of \($0)" } ?? "")"
      case "storage": step.property ?? "the storage \(short(step.class))"
      default: step.property.map { "\(own).\($0)" } ?? own
      }
    guard let next else { return own }
    return "\(holder) holds \(next.object ?? held(next))"
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
  private func parts(_ name: (String) -> String, _ made: (Report.PathStep) -> String) -> [String] {
    steps.enumerated().compactMap { index, step in
      let name = name(step.class)
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
