/// A class, or another kind of heap object, whose objects were recorded.
public struct ClassRecord: Sendable, Equatable {
  public enum Sort: Sendable, Equatable {
    case object, box, closure, other
  }

  public let id: Int
  /// Module.Outer.Inner, generic arguments in angle brackets.
  public let name: String
  public let sort: Sort
  public let metadata: UInt64
  public let superclass: UInt64
  /// Bytes, 0 if unknown.
  public let instanceSize: Int
  public let image: Int
  public let isGuarded: Bool
  /// Whether retains, releases, weak and unowned references of its objects were recorded, at depth full.
  public let isCounted: Bool

  /// The name without its module, as users name the class.
  public var shortName: String {
    guard let dot = name.firstIndex(of: "."), !name[..<dot].contains("<") else { return name }
    return String(name[name.index(after: dot)...])
  }

  public init(
    id: Int, name: String, sort: Sort = .object, metadata: UInt64 = 0, superclass: UInt64 = 0, instanceSize: Int = 0,
    image: Int = 0, isGuarded: Bool = false, isCounted: Bool = true
  ) {
    self.id = id
    self.name = name
    self.sort = sort
    self.metadata = metadata
    self.superclass = superclass
    self.instanceSize = instanceSize
    self.image = image
    self.isGuarded = isGuarded
    self.isCounted = isCounted
  }
}
