/// The stored property that code put a reference into, or took it from, as far as its function and instructions say.
public struct PropertyIdentity: Hashable, Sendable {
  /// The first superclass of the class whose method it is, so that a subclass's methods have the same.
  public let root: String
  /// Known of a setter, and if the class has only one that can hold the object.
  public let name: String?
  /// In the object, in bytes.
  public let offset: Int?

  public init(root: String, name: String?, offset: Int?) {
    self.root = root
    self.name = name
    self.offset = offset
  }

  /// Whether both are one property, of perhaps different objects.
  func isSame(as other: PropertyIdentity) -> Bool {
    guard root == other.root else { return false }
    if let name, let theirs = other.name { return name == theirs }
    if let offset, let theirs = other.offset { return offset == theirs }
    return false
  }

  /// Whether they are certainly different properties. A method's code that says only an offset may have changed an
  /// object of another class.
  func isOther(than other: PropertyIdentity) -> Bool {
    if let name, let theirs = other.name { return root != other.root || name != theirs }
    if let offset, let theirs = other.offset { return root == other.root && offset != theirs }
    return false
  }
}
