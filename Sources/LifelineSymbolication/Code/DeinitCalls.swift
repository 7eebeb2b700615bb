/// What the deinit of a class calls, as far as that shows whether it may end more than its own object.
public struct DeinitCalls: Hashable, Sendable {
  /// The types, without module and type arguments, whose methods it calls itself.
  public var types: Set<String>
  /// Whether it calls a closure, or a method that the object's class decides.
  public var isIndirect: Bool

  public init(types: Set<String> = [], isIndirect: Bool = false) {
    self.types = types
    self.isIndirect = isIndirect
  }
}
