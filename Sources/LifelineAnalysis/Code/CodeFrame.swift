/// A function in a backtrace, as the analysis needs it.
public struct CodeFrame: Sendable, Equatable {
  /// As a developer would write it, "FetchedResultsController.contextChanged(_:)".
  public let function: String
  public let mangledName: String?
  /// Last component of the image's path.
  public let image: String
  /// Whether it is in a library of the toolchain or the system.
  public let isSystem: Bool
  /// Of the call in the source; nil without debug information.
  public let line: Int?
  /// Whether the line is that of code nearby, since the compiler gave this code none.
  public let isNear: Bool

  public init(
    function: String, mangledName: String? = nil, image: String = "", isSystem: Bool = false, line: Int? = nil,
    isNear: Bool = false
  ) {
    self.function = function
    self.mangledName = mangledName
    self.image = image
    self.isSystem = isSystem
    self.line = line
    self.isNear = isNear
  }

  /// Whether its function is known, and not only "App+0x21c0", as in a stripped program.
  var isNamed: Bool { mangledName != nil || !function.hasPrefix("\(image)+0x") }

  /// Whether both are in the same function, at any line.
  func isSameFunction(as other: CodeFrame) -> Bool {
    function == other.function && mangledName == other.mangledName && image == other.image
  }
}
