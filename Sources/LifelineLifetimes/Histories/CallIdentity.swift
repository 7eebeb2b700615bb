/// What pairing needs to know about a retain's or release's place in the code.
public struct CallIdentity: Hashable, Sendable {
  public enum Role: Sendable {
    case plain
    /// Retains what a closure captured, when its block is copied.
    case capture
    /// Releases the captures of a closure or its block.
    case captureEnd
    /// Retains and releases what a framework owns.
    case kept
  }

  /// Identity of the function that called the runtime: the same for all its call sites.
  public let function: UInt64
  /// Identity of everything outside of that function: equal for two sites of one call.
  public let caller: UInt64
  /// The calls around it, by `key`, innermost first.
  public let enclosing: [UInt64]
  /// Those that may have passed a reference for it to release. A closure or method that a library calls borrows its
  /// arguments, so beyond the library only the function that contains the closure's code shares variables with it.
  public let lenders: [UInt64]
  /// Identity of the site itself and everything outside of it.
  public let path: UInt64
  /// The same for the sites around it, innermost first.
  public let enclosingPaths: [UInt64]
  /// The image that contains the function, 0 if unknown.
  public let image: Int
  public let role: Role
  /// Whether the function is an initializer or a setter, which own their arguments; others only borrow them.
  public let ownsArguments: Bool
  /// How many of the calls around it, innermost first, may have passed its arguments: an allocating initializer is
  /// between a caller and the initializer.
  public let argumentDepth: Int
  /// Whether the function is an initializer: unlike a setter's, its releases are of arguments, not of older values.
  public let isInitializer: Bool
  /// How many of the calls around it, innermost first, may have received the reference as a result.
  public var reach: Int
  /// The type whose method the function is; nil for a closure and for other functions.
  public let typeName: String?
  /// Whether `Unmanaged` retained or released: a manually counted reference.
  public let isUnmanaged: Bool
  /// The activities that ran around it, one bit each.
  public let activities: UInt64
  /// Whether the backtrace reaches the beginning of its thread or task.
  public let isWhole: Bool
  /// Whether the function's call has ended when its caller goes on, unlike that of an asynchronous function, of a
  /// coroutine, or of an initializer whose inlined code is mixed with its caller's.
  public let canEnd: Bool
  /// Whether a release may be of a stored reference: its call released more references than it took, and others of
  /// those were a local variable's.
  public var mayBeStored = false
  /// The property that the code put the reference into, or took it from; nil if unknown.
  public var property: PropertyIdentity?

  public init(
    function: UInt64, caller: UInt64, enclosing: [UInt64] = [], lenders: [UInt64]? = nil, path: UInt64 = 0,
    enclosingPaths: [UInt64] = [], image: Int = 0, role: Role = .plain, ownsArguments: Bool = false,
    argumentDepth: Int = 1, isInitializer: Bool = false, reach: Int = .max, typeName: String? = nil,
    isUnmanaged: Bool = false, activities: UInt64 = 0, isWhole: Bool = false, canEnd: Bool = false
  ) {
    self.isWhole = isWhole
    self.canEnd = canEnd
    self.reach = reach
    self.typeName = typeName
    self.isUnmanaged = isUnmanaged
    self.activities = activities
    self.function = function
    self.caller = caller
    self.enclosing = enclosing
    self.lenders = lenders ?? enclosing
    self.path = path
    self.enclosingPaths = enclosingPaths
    self.image = image
    self.role = role
    self.ownsArguments = ownsArguments
    self.argumentDepth = argumentDepth
    self.isInitializer = isInitializer
  }

  /// A number for the call: its function and everything outside of it.
  public var key: UInt64 { Self.key((function, caller)) }

  public static func key(_ call: (function: UInt64, caller: UInt64)) -> UInt64 {
    call.function &* 0x9E37_79B9_7F4A_7C15 ^ call.caller
  }
}
