/// One function of a backtrace after symbolication; an inlined call makes several of one address.
public struct SymbolicatedFrame: Sendable, Equatable {
  /// As a developer says it, "FetchedResultsController.contextChanged(_:)", or image + offset when nothing is known.
  public var function: String
  public var mangledName: String?
  /// Nil where nothing is known; the line is nil too when the compiler gave none (line 0).
  public var file: String?
  public var line: Int?
  public var column: Int?
  /// Whether the line is that of the code before, which may belong to another statement: what optimized code retains
  /// often has none.
  public var isNear = false
  public var image: String
  /// Virtual address in the image's file.
  public var offset: UInt64
  public var isInlined: Bool
  /// Belongs to the toolchain, the system or the library Lifeline, not to the program.
  public var isSystem: Bool
  /// Start of the enclosing function in the image's file, or the offset itself: the identity of the function.
  public var functionStart: UInt64
}
