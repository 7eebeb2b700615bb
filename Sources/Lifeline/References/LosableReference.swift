/// A reference that does not keep its object's memory, and knows while recording whether the object is gone.
public protocol LosableReference {
  /// Whether the object is known to be gone; also false when that is unknown.
  var isLost: Bool { get }
}
