/// What a closure's mangled name says about its parameters.
public struct ClosureSignature {
  /// Whether all parameters are of the toolchain's types: no class or protocol of the program, nothing generic.
  ///
  /// A notification may contain an object nevertheless. False also for a function that is no closure.
  public let takesOnlyLibraryTypes: Bool

  private static let modules = ["Swift.", "Foundation.", "FoundationEssentials.", "Dispatch."]

  public init(_ mangled: String?) {
    let name = mangled.map { Demangler.demangle($0) } ?? ""
    guard let start = name.firstRange(of: "closure #"), let open = name[start.upperBound...].firstIndex(of: "(") else {
      takesOnlyLibraryTypes = false
      return
    }
    var depth = 0
    let parameters = name[open...].prefix { character in
      if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
      return depth > 0
    }
    let names = parameters.split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "_" }
    // What follows a generic type's arguments, ".Continuation", belongs to that type.
    takesOnlyLibraryTypes = names.allSatisfy { name in
      name == "inout" || name.hasPrefix(".")
        || Self.modules.contains(where: name.hasPrefix) && !name.hasPrefix("Swift.Any")
    }
  }
}
