/// A parameter of a function; of a closure also what it captured.
public struct FunctionParameter: Equatable, Sendable {
  public let name: String
  /// Mangled; "" if unknown.
  public let type: String
  /// Where it is declared, in the function's file: what a closure captured is declared outside of it. Nil if unknown.
  public let line: Int?

  public init(name: String, type: String, line: Int? = nil) {
    self.name = name
    self.type = type
    self.line = line
  }

  // The last letters of types are in Mangling.rst.
  public var isUnowned: Bool { type.hasSuffix("XoD") }
  public var isUnsafe: Bool { type.hasSuffix("XuD") }
}
