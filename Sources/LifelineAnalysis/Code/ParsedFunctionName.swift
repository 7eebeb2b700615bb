/// What a function's short name says about it.
///
/// The compiler's helpers (thunks, outlined copies, block helpers) do what another function says: they are glue.
struct ParsedFunctionName: Equatable {
  enum Role: Equatable {
    case function
    case initializer
    case deinitializer
    /// get, set or modify of a property.
    case accessor(property: String, sets: Bool)
    /// Retains what a closure's block captures, when the block is copied.
    case blockCopy
    /// Releases the captures of a closure or its block when that is freed.
    case contextDestroy
    case glue
  }

  let role: Role
  /// The type that the function, or the function around a closure, belongs to, without the module.
  let typeName: String?
  let isClosure: Bool
  let isStatic: Bool

  private static let gluePrefixes = [
    "outlined ", "reabstraction thunk", "partial apply", "protocol witness", "value witness", "__swift_", "merged ",
    "destroy for ", "assignWith", "initializeWith", "dispatch thunk", "vtable thunk", "lazy protocol witness",
    "type metadata",
    "generic specialization", "function signature", "one-time initialization function", "destructiveInject", "swift_",
    "_swift_", "key path getter for ", "key path setter for ",
  ]
  private static let accessors = [
    "getter", "setter", "modify", "read", "willset", "didset", "_modify", "_read", "modify2", "read2",
  ]

  init(_ name: String) {
    var text = Substring(name)
    if text.hasPrefix("block_copy_helper") {
      self.init(role: .blockCopy)
      return
    }
    if text.hasPrefix("objectdestroy") || text.hasPrefix("block_destroy_helper") {
      self.init(role: .contextDestroy)
      return
    }
    if Self.gluePrefixes.contains(where: text.hasPrefix) {
      self.init(role: .glue)
      return
    }
    var isClosure = false
    if text.hasPrefix("closure #") || text.contains(") closure #") || text.hasPrefix("implicit closure #")
      || text.contains("partial function for ")
    {
      isClosure = text.contains("closure #")
      if let range = Self.lastRange(of: " in ", in: text) { text = text[range...] }
    }
    let isStatic = text.hasPrefix("static ")
    if isStatic { text = text.dropFirst(7) }
    let (path, isCall) = Self.components(text)
    // "File.read(_:)" is a method with that name.
    let isAccessor = !isCall && path.count >= 2 && Self.accessors.contains(path.last!)
    let memberIndex = isAccessor ? path.count - 2 : path.count - 1
    let typeName = memberIndex > 0 ? path[..<memberIndex].joined(separator: ".") : nil
    let member = path.isEmpty ? "" : path[memberIndex]
    let role: Role =
      if isAccessor {
        .accessor(property: member, sets: !["getter", "read", "_read", "read2"].contains(path.last!))
      } else if isClosure { .function } else if member == "init" || member == "__allocating_init" {
        .initializer
      } else if member == "deinit" || member == "__deallocating_deinit" || member == "__ivar_destroyer"
        || member == "__isolated_deallocating_deinit"
      {
        .deinitializer
      } else { .function }
    self.init(role: role, typeName: typeName, isClosure: isClosure, isStatic: isStatic)
  }

  private init(role: Role, typeName: String? = nil, isClosure: Bool = false, isStatic: Bool = false) {
    self.isStatic = isStatic
    self.role = role
    self.typeName = typeName
    self.isClosure = isClosure
  }

  /// Names between dots, up to the arguments, and whether there are any; angle brackets and their contents belong to a
  /// name.
  private static func components(_ text: Substring) -> (path: [String], isCall: Bool) {
    var parts: [String] = [""]
    var depth = 0
    var isCall = false
    for character in text {
      if character == "(" && depth == 0 && !parts.last!.isEmpty {
        isCall = true
        break
      }
      if character == "<" { depth += 1 }
      if character == ">" { depth -= 1 }
      if character == "." && depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
    }
    return (parts.filter { !$0.isEmpty }, isCall)
  }

  private static func lastRange(of separator: String, in text: Substring) -> Substring.Index? {
    var found: Substring.Index?
    var index = text.startIndex
    while index < text.endIndex {
      if text[index...].hasPrefix(separator) { found = text.index(index, offsetBy: separator.count) }
      index = text.index(after: index)
    }
    return found
  }
}
