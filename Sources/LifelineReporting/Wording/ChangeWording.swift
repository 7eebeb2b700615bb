import LifelineAnalysis
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

  var sentence: String {
    // Objects of a generic class with different arguments are different captures of one closure.
    var seen: Set<String> = []
    let texts = cut.changes.map(change).filter { seen.insert($0).inserted }
    let text = captures(texts) ?? texts.joined(separator: ", and ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// Captures of one variable, or of one class's objects, by several closures, which have places; or of several
  /// variables by one closure.
  private func captures(_ texts: [String]) -> String? {
    let parts = texts.compactMap {
      $0.wholeMatch(of: /capture (.+) weakly or unowned in the closure at ([^ ]+)(?: \(\[(weak [^ ]+)\]\))?/)?.output
    }
    guard let first = parts.first, texts.count > 1, parts.count == texts.count else { return nil }
    func list(_ names: [Substring]) -> String { "\(names.dropLast().joined(separator: ", ")) and \(names.last!)" }
    if parts.allSatisfy({ $0.1 == first.1 && $0.3 == first.3 }) {
      return "capture \(first.1) weakly or unowned in the closures at \(list(parts.map(\.2)))"
        + (first.3.map { " ([\($0)])" } ?? "")
    }
    let weak = parts.compactMap(\.3)
    guard weak.count == parts.count, parts.allSatisfy({ $0.2 == first.2 }) else { return nil }
    return "capture \(list(parts.map(\.1))) weakly or unowned in the closure at \(first.2) "
      + "([\(weak.joined(separator: ", "))])"
  }

  private func change(_ change: LeakCut.Change) -> String {
    switch change {
    case .captureWeakly(let className, let function):
      return capture(className, function, isOnce: cut.single.contains(change))
    case .clearVariable(let function):
      let place = place(function).map { " at \($0)" } ?? ""
      return "set the variable that the closure\(place) captures to nil when it is no longer needed"
    case .resume: return "resume the continuation that the task waits for, exactly once on every path"
    case .finishStream: return "finish the stream that the task waits for"
    case .endTasks(let tasks): return LostTaskWording(tasks, report).change
    case .makeWeak(let className, let property): return "make \(PathText.brief(className)).\(property) weak or unowned"
    case .weakenInside(let className, let property):
      return "make the reference in \(PathText.brief(className)).\(property) weak or unowned, or clear it"
    case .clear(let className, let property):
      return "set \(PathText.brief(className)).\(property) to nil, or empty it, when it is no longer needed"
    case .clearConstant(let className, let property):
      return "make \(PathText.brief(className)).\(property) a variable, and set it to nil when it is no longer needed"
    }
  }

  private func capture(_ className: String, _ function: UInt64?, isOnce: Bool) -> String {
    let variables = CapturedVariables(function, holding: className, isOnce: isOnce, report.names)
    // Functions name a generic class without its arguments.
    let type = String(PathText.short(className).prefix { $0 != "<" })
    let captured = variables.either ?? type
    let list = variables.only.map { " ([weak \($0)])" } ?? ""
    let closure = function.flatMap { symbolicator.closure(at: $0) }?.function
    let place = place(function) ?? closurePlace
    if let method = MethodReference(closure) {
      return "pass a closure that captures \(type) weakly or unowned instead of the method"
        + (place.map { " at \($0)" } ?? " that \(method.function) passes")
    }
    if let outer = closure?.wholeMatch(of: /implicit closure #\d+ in (.+)/)?.1 {
      // It has no list of captures.
      return "let the @autoclosure argument in \(outer) use a copy of what it needs, made before the call, instead of "
        + captured
    }
    if let local = closure?.prefixMatch(of: /([^ #]+) #\d+/)?.1, local != "closure" {
      // Nor has a local function.
      return "use a weak or unowned reference to \(captured) in the local function \(local)"
        + (place.map { " at \($0)" } ?? "")
    }
    let name = place.map { "the closure at \($0)" } ?? closure ?? "the closure"
    return "capture \(captured) weakly or unowned in \(name)\(list)"
  }

  /// Where a closure is written.
  private func place(_ function: UInt64?) -> String? {
    guard let closure = function.flatMap({ symbolicator.closure(at: $0) }), let line = closure.line,
      let file = closure.file?.split(separator: "/").last
    else { return nil }
    return "\(file):\(line)"
  }
}
