import LifelineAnalysis
import LifelineHeap
import LifelineSymbolication

/// What to change in the program so that a cycle is freed.
struct ChangeWording {
  private let cut: LeakCut
  /// Where the closure is written, if it has no line of its own.
  private let closurePlace: String?
  private let report: ReportContext
  private var symbolicator: Symbolicator { report.names.symbolicator }

  init(_ cut: LeakCut, closurePlace: String?, _ report: ReportContext) {
    self.cut = cut
    self.closurePlace = closurePlace
    self.report = report
  }

  /// A closure's capture that can be weak.
  private struct Capture: Hashable {
    let captured: String
    let closure: String
    /// Where the closure is written, if known.
    let place: String?
    /// The variable, if it is certain.
    let variable: String?
  }

  private enum Part: Hashable {
    case capture(Capture)
    case text(String)
  }

  var sentence: String {
    // Objects of a generic class with different arguments are different captures of one closure.
    var seen: Set<Part> = []
    let parts = cut.changes.map(change).filter { seen.insert($0).inserted }
    let text = together(parts) ?? parts.map(Self.text).joined(separator: ", and ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  private static func text(_ part: Part) -> String {
    switch part {
    case .text(let text): text
    case .capture(let capture):
      "capture \(capture.captured) weakly or unowned in \(capture.closure)"
        + (capture.variable.map { " ([weak \($0)])" } ?? "")
    }
  }

  /// Captures of one variable, or of one class's objects, by several closures, which have places; or of several
  /// variables by one closure.
  private func together(_ parts: [Part]) -> String? {
    let captures = parts.compactMap { part in
      if case .capture(let capture) = part, capture.place != nil { capture } else { nil }
    }
    guard let first = captures.first, parts.count > 1, captures.count == parts.count else { return nil }
    func list(_ names: [String]) -> String { "\(names.dropLast().joined(separator: ", ")) and \(names.last!)" }
    if captures.allSatisfy({ $0.captured == first.captured && $0.variable == first.variable }) {
      return "capture \(first.captured) weakly or unowned in the closures at \(list(captures.compactMap(\.place)))"
        + (first.variable.map { " ([weak \($0)])" } ?? "")
    }
    let weak = captures.compactMap { $0.variable.map { "weak \($0)" } }
    guard weak.count == captures.count, captures.allSatisfy({ $0.place == first.place }) else { return nil }
    return "capture \(list(captures.map(\.captured))) weakly or unowned in \(first.closure) "
      + "([\(weak.joined(separator: ", "))])"
  }

  private func change(_ change: LeakCut.Change) -> Part {
    switch change {
    case .captureWeakly(let className, let function):
      return capture(className, function, isOnce: cut.single.contains(change), cut.captured[change])
    case .clearVariable(let function):
      let place = place(function).map { " at \($0)" } ?? ""
      return .text("set the variable that the closure\(place) captures to nil when it is no longer needed")
    case .emptyCache(let className):
      let name = PathText.brief(className)
      return .text(
        "call removeAllObjects() on the \(name) when it is no longer needed, since its entries keep each other")
    case .resume: return .text("resume the continuation that the task waits for, exactly once on every path")
    case .runJob: return .text("have the task's executor run the job that it was given")
    case .finishStream: return .text("finish the stream that the task waits for")
    case .endTasks(let tasks): return .text(LostTaskWording(tasks, report).change)
    case .makeWeak(let className, let property):
      return .text("make \(PathText.brief(className)).\(property) weak or unowned")
    case .weakenInside(let className, let property, let isExistential):
      let condition = isExistential ? ", for which its type must require a class (AnyObject)," : ","
      let reference = "\(PathText.brief(className)).\(property)"
      return .text("make the reference in \(reference) weak or unowned\(condition) or clear it")
    case .clear(let className, let property, let way):
      return .text(Self.clearing("\(PathText.brief(className)).\(property)", way, isConstant: false))
    case .clearConstant(let className, let property, let way):
      return .text(Self.clearing("\(PathText.brief(className)).\(property)", way, isConstant: true))
    }
  }

  static func clearing(_ property: String, _ way: HeapField.Clearing, isConstant: Bool) -> String {
    let change =
      switch (way, isConstant) {
      case (.byNil, false), (.protectedByNil, _): "set \(property) to nil"
      case (.byNil, true): "make \(property) a variable, and set it to nil"
      case (.byEmptying, false): "empty \(property)"
      case (.byEmptying, true): "make \(property) a variable, and empty it"
      case (.never, false): "make \(property) optional, and set it to nil"
      case (.never, true): "make \(property) an optional variable, and set it to nil"
      case (.unknown, false), (.withValue, false): "set \(property) to nil, or empty it,"
      case (.unknown, true), (.withValue, true): "make \(property) a variable, and set it to nil, or empty it,"
      }
    return "\(change) when it is no longer needed"
  }

  private func capture(
    _ className: String, _ function: UInt64?, isOnce: Bool, _ captured: LeakCut.Captured?
  ) -> Part {
    let variables = CapturedVariables(function, holding: className, isOnce: isOnce, at: captured, report.names)
    // Functions name a generic class without its arguments.
    let type = String(PathText.short(className).prefix { $0 != "<" })
    let name = variables.either ?? variables.container.map { "the \(type) in \($0)" } ?? type
    let closure = function.flatMap { symbolicator.closure(at: $0) }?.function
    let place = place(function) ?? closurePlace
    if let method = MethodReference(closure) {
      return .text(
        "pass a closure that captures \(type) weakly or unowned instead of the method"
          + (place.map { " at \($0)" } ?? " that \(method.function) passes"))
    }
    if let outer = closure?.wholeMatch(of: /implicit closure #\d+ in (.+)/)?.1 {
      // It has no list of captures.
      return .text(
        "let the @autoclosure argument in \(outer) use a copy of what it needs, made before the call, instead of "
          + name)
    }
    if let local = closure?.prefixMatch(of: /([^ #]+) #\d+/)?.1, local != "closure" {
      // Nor has a local function.
      return .text(
        "use a weak or unowned reference to \(name) in the local function \(local)"
          + (place.map { " at \($0)" } ?? ""))
    }
    return .capture(
      Capture(
        captured: name, closure: place.map { "the closure at \($0)" } ?? closure ?? "the closure", place: place,
        variable: variables.only))
  }

  /// Where a closure is written.
  private func place(_ function: UInt64?) -> String? {
    guard let closure = function.flatMap({ symbolicator.closure(at: $0) }), let line = closure.line,
      let file = closure.file?.split(separator: "/").last
    else { return nil }
    return "\(file):\(line)"
  }
}
