import LifelineLifetimes
import LifelineSymbolication

/// The object whose code used the freed one, and the reference it went through, as far as the evidence allows.
public struct Sender: Sendable {
  /// Full class name.
  public let className: String
  /// The class that declares the property, if `className` inherits it; by its full name.
  public var declarer: String?
  /// Objects of that class, or of a subclass, that were live then; the sender is one of them.
  public let candidates: [ObjectID]
  /// The uncounted property of the class that referred to the freed object; if nothing shows it, the one that can, if
  /// there is exactly one.
  public internal(set) var property: StoredProperty?
  /// Whether the property had the freed object's address: it was probably used, but another reference may have been.
  public let isShown: Bool
  /// Whether source code said that the reference was used.
  public var isDeclared = false
  /// The only candidate's life.
  public internal(set) var lifetime: ObjectLifetime?

  public var object: ObjectID? { candidates.count == 1 ? candidates[0] : nil }
}
