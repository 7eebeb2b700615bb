import LifelineLifetimes

/// One object's life as two recordings can be compared by: names and counts, no addresses, times or lines.
public struct LifetimeSignature: Sendable, Equatable {
  public let object: ObjectID
  /// Function that allocated it.
  public let site: String
  /// From 1, among the objects of its class from that site.
  public internal(set) var ordinal = 0
  /// Events of the thread that allocated it, up to the final release or the end of the recording.
  public internal(set) var length: UInt64 = 0
  /// Function of the final release; nil when there was none.
  public internal(set) var finalRelease: String?
  public internal(set) var isLiveAtExit = true
  /// The thread that allocated it, by its number in the recording.
  public internal(set) var thread: UInt32 = 0
  /// Whether more than one thread touched it.
  public internal(set) var isShared = false
  /// References taken and given back, by function.
  public internal(set) var retains: [String: Int] = [:]
  public internal(set) var releases: [String: Int] = [:]

  public init(object: ObjectID, site: String) {
    self.object = object
    self.site = site
  }

  /// Class and site.
  struct Kind: Hashable {
    let className: String
    let site: String
  }

  var kind: Kind { Kind(className: object.className, site: site) }
}
