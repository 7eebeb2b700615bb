import LifelineAnalysis
import LifelineHeap
import LifelineSymbolication

/// What to change in the program so that a cycle is freed.
struct ChangeWording {
  private let cut: LeakCut
  /// Where the closure is written, if it has no line of its own.
  private let closurePlace: String?
  /// The only captured variable, if it is known.
  private let variable: BoxedVariable?
  private let context: ReportContext
  private var symbolicator: Symbolicator { context.names.symbolicator }

  init(_ cut: LeakCut, closurePlace: String?, variable: BoxedVariable? = nil, _ context: ReportContext) {
    self.cut = cut
    self.closurePlace = closurePlace
    self.variable = variable
    self.context = context
  }

  /// A closure's capture that can be weak.
  struct Capture: Hashable {
    let captured: String
    let closure: String
    /// Where the closure is written, if known.
    let place: String?
    /// The variable, if it is certain.
    let variable: String?
  }

  enum Part: Hashable {
    case capture(Capture)
    /// A property to make weak.
    case property(String)
    case text(String)
  }

  var sentence: String { Self.sentence(cut.changes.map(change)) }

  static func sentence(_ changes: [Part]) -> String {
    // Objects of a generic class with different arguments are different captures of one closure.
    var seen: Set<Part> = []
    var parts = changes.filter { seen.insert($0).inserted }
    var phrases: [String] = []
    while let first = parts.first {
      let (phrase, said) = phrase(first, parts)
      phrases.append(phrase)
      parts.removeAll(where: said.contains)
    }
    let text = phrases.joined(separator: ", and ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The first part, with the others that one phrase can say as well.
  private static func phrase(_ first: Part, _ parts: [Part]) -> (String, said: Set<Part>) {
    switch first {
    case .text(let text): return (text, [first])
    case .property:
      let names = parts.compactMap { if case .property(let name) = $0 { name } else { nil } }
      return ("make \(list(names)) weak or unowned", Set(names.map(Part.property)))
    case .capture(let capture):
      if let together = together(capture, parts.compactMap { if case .capture(let other) = $0 { other } else { nil } })
      {
        return (together.phrase, Set(together.said.map(Part.capture)))
      }
      return (
        "capture \(capture.captured) weakly or unowned in \(capture.closure)"
          + (capture.variable.map { " ([weak \($0)])" } ?? ""), [first]
      )
    }
  }

  /// Captures of one variable, or of one class's objects, by several closures; or of several variables by one closure.
  private static func together(_ first: Capture, _ captures: [Capture]) -> (phrase: String, said: [Capture])? {
    let same = captures.filter {
      $0.captured == first.captured && $0.variable == first.variable && ($0.place == nil) == (first.place == nil)
    }
    if same.count > 1 {
      let places = inOrder(same.compactMap(\.place))
      let phrase =
        "capture \(first.captured) weakly or unowned in "
        + (places.isEmpty ? list(same.map(\.closure)) : "the closures at \(list(places))")
        + (first.variable.map { " ([weak \($0)])" } ?? "")
      return (phrase, same)
    }
    guard let place = first.place else { return nil }
    let others = captures.filter { $0.place == place && $0.variable != nil }
    guard others.count > 1, others.contains(first) else { return nil }
    let weak = others.compactMap { $0.variable.map { "weak \($0)" } }
    let phrase =
      "capture \(list(others.map(\.captured))) weakly or unowned in \(first.closure) "
      + "([\(weak.joined(separator: ", "))])"
    return (phrase, others)
  }

  /// "Model.swift:9" before "Model.swift:10".
  private static func inOrder(_ places: [String]) -> [String] {
    places.sorted { first, second in
      let parts = [first, second].map { $0.split(separator: ":") }
      return (parts[0][0], Int(parts[0].last!) ?? 0) < (parts[1][0], Int(parts[1].last!) ?? 0)
    }
  }

  private static func list(_ names: [String]) -> String {
    names.count < 2 ? names.joined() : "\(names.dropLast().joined(separator: ", ")) and \(names.last!)"
  }

  /// How a captured variable gives up what it refers to.
  private func clearing(_ variable: BoxedVariable?, _ captured: String) -> String {
    let whole = "the variable \(variable.map { "\($0.name) " } ?? "")\(captured)"
    switch variable?.clearing {
    case .byNil: return "set \(whole) to nil when it is no longer needed"
    case .byEmptying: return "empty \(whole) when it is no longer needed"
    case .byOtherClosure:
      return "set \(whole) to a closure without captures, or to nil if it is made optional, when it is no longer needed"
    case .unknown, nil:
      return "set \(whole) to nil, or to a value that does not refer to the closure, when it is no longer needed"
    }
  }

  private func change(_ change: LeakCut.Change) -> Part {
    switch change {
    case .captureWeakly(let className, let function):
      return capture(className, function, isOnce: cut.single.contains(change), cut.captured[change])
    case .clearVariable(let function):
      let place = place(function).map { " at \($0)" } ?? ""
      return .text(clearing(variable, "that the closure\(place) captures"))
    case .emptyCache(let className):
      let name = PathText.brief(className)
      return .text(
        "call removeAllObjects() on the \(name) when it is no longer needed, since its entries keep each other")
    case .resume: return .text("resume the continuation that the task waits for, exactly once on every path")
    case .runJob: return .text("have the task's executor run the job that it was given")
    case .finishStream: return .text("finish the stream that the task waits for")
    case .close(let channels, let handlers): return .text(Self.closing(channels, handlers))
    case .giveUpContext(let className, let property):
      return .text("set \(PathText.brief(className)).\(property) to nil in handlerRemoved(context:)")
    case .runTasks(let className):
      return .text("run what is scheduled on the \(PathText.brief(className)), or cancel it")
    case .complete(let className, let count):
      let future = PathText.brief(className)
      let others = count > 1 ? " and \(Quantity.number(count - 1)) more" : ""
      return .text("complete the promise of the \(future)\(others) on every path")
    case .cancel: return .text("cancel the task that waits for the next change of what it observes")
    case .endTasks(let tasks): return .text(LostTaskWording(tasks, context).change)
    case .makeWeak(let className, let property):
      return .property("\(PathText.brief(className)).\(property)")
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

  /// Channels made for tests have a method that also runs what is left to do.
  static func closing(_ channels: [String], _ handlers: [String]) -> String {
    let isForTests = channels.allSatisfy { $0.hasPrefix("NIOEmbedded.") }
    let names = list(channels.map { "the \(PathText.brief($0))" })
    let given = list(handlers.map(PathText.brief))
    return (isForTests ? "call finish() on \(names)" : "close \(names)")
      + " when \(channels.count > 1 ? "they are" : "it is") no longer needed"
      + ", since a channel and its pipeline refer to each other until then"
      + (handlers.isEmpty ? "" : ", and have handlerRemoved(context:) of \(given) give up its context")
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
    let variables = CapturedVariables(function, holding: className, isOnce: isOnce, at: captured, context.names)
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
    if let local = closure?.prefixMatch(of: /([^ #]+) #\d+[^ ]*( in .+)?/), local.1 != "closure" {
      // Nor has a local function.
      return .text(
        "use a weak or unowned reference to \(name) in the local function \(local.1)"
          + (place.map { " at \($0)" } ?? local.2.map(String.init) ?? ""))
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
