import LifelineLifetimes

/// The comparable part of one object's lifetime: names and counts, no addresses, times or lines.
public struct LifetimeSignature: Sendable, Equatable {
  /// What it shares with all objects that were created and used the same way.
  private(set) var shape: LifetimeShape
  /// From 1, in order of allocation among the objects of its class.
  let number: Int
  /// From 1, among the objects of its class from that site.
  public internal(set) var ordinal = 0
  /// Events of the thread that allocated it, up to the final release or the end of the recording.
  public internal(set) var length: UInt64 = 0
  public internal(set) var isLiveAtExit = true
  /// The thread that allocated it, by its number in the recording.
  public internal(set) var thread: UInt32 = 0
  /// Whether more than one thread touched it.
  public internal(set) var isShared = false

  public init(object: ObjectID, site: String) {
    self.init(LifetimeShape(className: object.className, site: site), number: object.number)
  }

  init(_ shape: LifetimeShape, number: Int) {
    self.shape = shape
    self.number = number
  }

  public var object: ObjectID { ObjectID(className: shape.className, number: number) }
  /// Function that allocated it.
  public var site: String { shape.site }
  /// Function of the final release; nil if there was none.
  public var finalRelease: String? { shape.finalRelease }
  /// Retains by function.
  public var retains: [String: Int] { shape.retains }
  public var releases: [String: Int] { shape.releases }

  mutating func take(_ shape: LifetimeShape) { self.shape = shape }
}
