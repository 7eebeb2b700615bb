/// What a closure's mangled name says about its parameters.
public struct ClosureSignature {
  /// Whether all parameters are of the toolchain's types: no class or protocol of the program, nothing generic.
  ///
  /// A notification may contain an object nevertheless. False also for a function that is no closure.
  public let takesOnlyLibraryTypes: Bool

  private static let modules = ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch."]

  public init(_ mangled: String?) {
    let parameters = mangled.flatMap { Self.parameters(Demangler.demangle($0)) }
    let names = parameters?.split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "_" }
    // What follows a generic type's arguments, ".Continuation", belongs to that type.
    takesOnlyLibraryTypes =
      names?.allSatisfy { name in
        name == "inout" || name.hasPrefix(".")
          || Self.modules.contains(where: name.hasPrefix) && !name.hasPrefix("Swift.Any")
      } ?? false
  }

  /// How many parameters a closure has in the source; nil for a function that is no closure, even if it is in one, and
  /// for one whose parameters the optimizer changed.
  public static func parameterCount(_ mangled: String) -> Int? {
    let name = Demangler.demangle(mangled)
    guard !name.contains("signature specialization"), let start = name.firstRange(of: "closure #"),
      // The number of a local function, "step #1 () -> () in closure #1".
      !name[..<start.lowerBound].contains("#"), let list = parameters(name)?.dropFirst()
    else { return nil }
    var depth = 0
    var count = list.isEmpty ? 0 : 1
    for character in list.replacing("->", with: "") {
      switch character {
      case "(", "<", "[": depth += 1
      case ")", "]", ">": depth -= 1
      case "," where depth == 0: count += 1
      default: break
      }
    }
    return count
  }

  /// "(Swift.Int, Swift.Int" of a closure's demangled name.
  private static func parameters(_ name: String) -> Substring? {
    guard let start = name.firstRange(of: "closure #"), let open = name[start.upperBound...].firstIndex(of: "(") else {
      return nil
    }
    var depth = 0
    return name[open...].prefix { character in
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      return depth > 0
    }
  }
}
