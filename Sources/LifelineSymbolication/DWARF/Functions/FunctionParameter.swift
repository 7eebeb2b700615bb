/// A parameter of a function; of a closure also what it captured.
public struct FunctionParameter: Equatable, Sendable {
  public let name: String
  /// Mangled; "" if unknown.
  public let type: String

  public init(name: String, type: String) {
    self.name = name
    self.type = type
  }

  // The last letters of types are in Mangling.rst.
  public var isUnowned: Bool { type.hasSuffix("XoD") }
  public var isUnsafe: Bool { type.hasSuffix("XuD") }
}
