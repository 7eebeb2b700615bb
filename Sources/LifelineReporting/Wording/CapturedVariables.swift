import LifelineAnalysis
import LifelineSymbolication

/// The variables through which a closure may have captured an object of a class.
struct CapturedVariables {
  private enum Fit {
    /// Its type is the class, so it refers to such an object or one of a subclass.
    case same
    /// A superclass, or an optional.
    case possible
    /// A value that may contain the object, or may not even be able to.
    case value
    /// Its type is not known.
    case unknown
  }

  private let variables: [(name: String, fit: Fit)]
  private let isOnce: Bool
  /// The variable at the place in the closure's context; nil if unknown.
  private let exact: String?

  /// Names of values in which no object of the program can be, or not without storage in between.
  private static let others: Set<String> = [
    "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float",
    "String", "Substring", "Character", "Array", "Dictionary", "Set",
  ]

  /// `closure` is the address of its function; `isOnce` says that it holds only one reference to objects of the class,
  /// `place` which of its references to objects is meant.
  init(_ closure: UInt64?, holding className: String, isOnce: Bool, at place: LeakCut.Captured?, _ names: Names) {
    let captures = closure.flatMap { names.symbolicator.captures(at: $0) } ?? []
    let function = closure.flatMap { names.symbolicator.symbol(at: $0)?.name }.map(Demangler.demangle) ?? ""
    // Optimized code may lack parameters before self.
    let isWhole = closure.map { names.symbolicator.isOptimized(at: $0) } == false
    let isOrdered = isWhole || !captures.contains { $0.name == "self" }
    self.init(
      captures, of: function, holding: className, isOnce: isOnce, at: isOrdered ? place : nil,
      superclasses: names.superclasses)
  }

  /// `function` is the closure's full name: of one that was optimized for particular types, a variable of such a type
  /// may be of a generic parameter in the source, which may not be a class's.
  init(
    _ captures: [FunctionParameter], of function: String = "", holding className: String, isOnce: Bool,
    at place: LeakCut.Captured? = nil, superclasses: [String: String]
  ) {
    var lineage: Set<String> = []
    var next: String? = className
    while let name = next, lineage.insert(Self.bare(name)).inserted {
      next = superclasses[name] ?? superclasses[String(name.prefix { $0 != "<" })]
    }
    self.isOnce = isOnce
    let arguments = Self.arguments(of: function)
    let isArgument = arguments.contains { lineage.contains(Self.bare($0)) }
    exact = arguments.isEmpty ? place.flatMap { Self.variable(at: $0, captures, className, lineage) } : nil
    variables = captures.compactMap { capture in
      Self.fit(capture, Self.bare(className), lineage).map { fit in
        (capture.name, isArgument && capture.name != "self" && fit != .unknown ? .value : fit)
      }
    }
  }

  /// The variable at a place, if each one that may refer to an object does: then they are as many as the context's
  /// references, and in the same order.
  private static func variable(
    at place: LeakCut.Captured, _ captures: [FunctionParameter], _ className: String, _ lineage: Set<String>
  ) -> String? {
    var objects: [String] = []
    for capture in captures {
      let type = Demangler.demangle(capture.type)
      // A closure's context is no object of the program's, and what is captured weakly is in a box.
      if type.contains("->") || capture.type.hasSuffix("XwD") || capture.isUnowned || capture.isUnsafe { continue }
      if type.hasPrefix("Swift."), others.contains(bare(type)) { continue }
      guard isClass(capture) || [.same, .possible].contains(fit(capture, bare(className), lineage)) else { return nil }
      objects.append(capture.name)
    }
    return objects.count == place.count ? objects[place.index] : nil
  }

  /// Nil if the variable cannot hold such an object.
  private static func fit(_ capture: FunctionParameter, _ className: String, _ lineage: Set<String>) -> Fit? {
    let type = Demangler.demangle(capture.type)
    if capture.type.isEmpty || type == capture.type { return .unknown }
    // Closures, and what is captured weakly or unowned.
    if type.contains("->") || capture.type.hasSuffix("XwD") || capture.isUnowned || capture.isUnsafe { return nil }
    let optional = "Swift.Optional<"
    let isOptional = type.hasPrefix(optional)
    let whole = isOptional ? String(type.dropFirst(optional.count).dropLast()) : type
    let name = bare(whole)
    if lineage.contains(name) { return isOptional || name != className ? .possible : .same }
    let isOfToolchain =
      whole.hasPrefix("Swift.") && others.contains(name)
      || ["Foundation.", "FoundationEssentials."]
        .contains { whole.hasPrefix($0) } && !whole.contains("<")
    // Another class cannot hold it either.
    return isOfToolchain || isClass(capture) ? nil : .value
  }

  /// A class without type arguments, or an optional one.
  private static func isClass(_ capture: FunctionParameter) -> Bool {
    capture.type.hasSuffix("CD") || capture.type.hasSuffix("CSgD")
  }

  /// The variable, if it is certain.
  var only: String? {
    if let exact { return exact }
    let same = variables.filter { $0.fit == .same }
    // The one reference is that of the variable that must have one.
    if isOnce, same.count == 1 { return same[0].name }
    return variables.count == 1 && [.same, .possible].contains(variables[0].fit) ? variables[0].name : nil
  }

  /// "self or other (or both)"; nil if they are unknown or too many.
  var either: String? {
    if let only { return only }
    let names = variables.map(\.name)
    guard 2...3 ~= names.count, variables.allSatisfy({ [.same, .possible].contains($0.fit) }) else { return nil }
    return names.dropLast().joined(separator: ", ")
      + " or \(names.last!) (or \(names.count == 2 ? "both" : "several"))"
  }

  /// The only variable, if it is a value in which the object is, such as a struct.
  var container: String? { variables.count == 1 && variables[0].fit == .value ? variables[0].name : nil }

  /// The types for which a generic function was optimized: "generic specialization <App.Node, Swift.Int> of …".
  private static func arguments(of function: String) -> [String] {
    guard let start = function.firstRange(of: " specialization <") else { return [] }
    var depth = 0, argument = "", arguments: [String] = []
    for character in function[start.upperBound...] {
      if character == "<" { depth += 1 }
      let isEnd = character == ">" && argument.last != "-"
      if isEnd, depth == 0 { break }
      if isEnd { depth -= 1 }
      if character == ",", depth == 0 {
        arguments.append(argument)
        argument = ""
      } else if character != " " || !argument.isEmpty {
        argument.append(character)
      }
    }
    return arguments + [argument]
  }

  /// As users name the class, without arguments, also those of the types that it is nested in. The name of one in an
  /// extension may begin with where that is: "(extension in App):Swift.Array<Swift.Int>.Cursor".
  private static func bare(_ name: String) -> String {
    let place = name.hasPrefix("(extension in ") ? name.firstRange(of: "):") : nil
    var depth = 0, bare = ""
    for character in PathText.short(String(place.map { name[$0.upperBound...] } ?? name[...])) {
      if character == "<" { depth += 1 }
      if depth == 0 { bare.append(character) }
      if character == ">", depth > 0 { depth -= 1 }
    }
    return bare
  }
}
