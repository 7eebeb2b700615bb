import LifelineAnalysis
import LifelineSymbolication

/// The variable whose box a closure captured: the only one of the closure's that can hold what the box holds.
struct BoxedVariable {
  /// What takes its value away.
  enum Clearing: Hashable {
    case byNil, byEmptying, byOtherClosure, unknown
  }

  let name: String
  let file: String?
  let line: Int?
  let clearing: Clearing

  private static let collections: Set<String> = ["Array", "Dictionary", "Set"]
  private static let optional = "Swift.Optional<"

  /// `closure` is the address of its function, `next` what the box refers to. Nil if the variable is not certain, as in
  /// optimized code, where some may be missing.
  init?(capturedBy closure: UInt64, holding next: LeakStep, _ names: Names) {
    guard names.symbolicator.isOptimized(at: closure) == false else { return nil }
    let captures = names.symbolicator.captures(at: closure) ?? []
    let name: String?
    switch next.kind {
    case .closure: name = Self.only(captures, Self.isFunction)
    case .storage where next.className.hasPrefix("Swift.") && next.property == nil:
      name = Self.only(captures) { type, _ in Self.collections.contains(Self.bare(Self.whole(type))) }
    case .object, .storage:
      name = CapturedVariables(closure, holding: next.className, isOnce: false, at: nil, names).only
    case .variable, .task, .memory: name = nil
    }
    guard let found = captures.first(where: { $0.name == name }), found.name != "self" else { return nil }
    let type = Demangler.demangle(found.type)
    self.name = found.name
    line = found.line
    file = found.line == nil ? nil : names.symbolicator.closure(at: closure)?.file
    clearing =
      switch type {
      case _ where type.hasPrefix(Self.optional) || found.type.hasSuffix("SgD"): .byNil
      case _ where Self.isFunction(type, found): .byOtherClosure
      case _ where Self.collections.contains(Self.bare(type)): .byEmptying
      default: .unknown
      }
  }

  /// The variable of the wanted kind, if there is one and nothing else can hold such a reference.
  private static func only(
    _ captures: [FunctionParameter], _ isWanted: (String, FunctionParameter) -> Bool
  ) -> String? {
    var found: [String] = []
    for capture in captures {
      let type = Demangler.demangle(capture.type)
      if isWanted(type, capture) {
        found.append(capture.name)
      } else if capture.type.isEmpty || type == capture.type || mayBeAnything(type, capture) {
        return nil
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  private static func isFunction(_ type: String, _ capture: FunctionParameter) -> Bool {
    type.contains("->") && !collections.contains(bare(whole(type)))
  }

  /// Neither a class, nor a function, nor one of the standard library's own values.
  private static func mayBeAnything(_ type: String, _ capture: FunctionParameter) -> Bool {
    let isClass = ["CD", "CSgD", "XwD", "XoD", "XuD"].contains(where: capture.type.hasSuffix)
    return !isClass && !type.contains("->") && !whole(type).hasPrefix("Swift.")
      || whole(type) == "Any" || whole(type).hasPrefix("Swift.Any")
  }

  private static func whole(_ type: String) -> String {
    type.hasPrefix(optional) ? String(type.dropFirst(optional.count).dropLast()) : type
  }

  /// "Array" for "Swift.Array<() -> ()>" and for "[() -> ()]".
  private static func bare(_ type: String) -> String {
    if type.hasPrefix("[") { return "Array" }
    let name = type.prefix { $0 != "<" }
    return name.hasPrefix("Swift.") ? String(name.dropFirst("Swift.".count)) : String(name)
  }
}
