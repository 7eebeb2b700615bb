import LifelineLifetimes

/// Objects that are lost for one reason: how they are held, what was lost with them, and what would free them.
public struct Leak: Sendable {
  public enum Cause: Sendable, Equatable {
    /// Objects keep each other.
    case cycle
    /// Nothing refers to the object, but its reference count was never given back.
    case unbalanced
    /// Only memory that nothing refers to any more holds it.
    case memory(bytes: Int)
    /// Only a task that nothing can resume any more holds it.
    case task
    /// Only a closure or a box that nothing refers to any more holds it.
    case context
  }

  /// An object whose history does not tell which of its references is the one that was left.
  public struct Doubt: Sendable {
    public enum Reason: Sendable, Equatable {
      /// So many events that some are left out.
      case cut(events: Int)
      /// Older than the events that the recording keeps.
      case older
      /// Releases that no retain was found for.
      case unpaired(releases: Int)
    }

    public let object: ObjectID
    public let reason: Reason
    /// Of the program's own retains those without a release, one for each place, three at most.
    public let perhaps: [HistoryRow]

    public init(object: ObjectID, reason: Reason, perhaps: [HistoryRow] = []) {
      self.object = object
      self.reason = reason
      self.perhaps = perhaps
    }
  }

  /// How many objects of a class.
  public struct ClassCount: Sendable, Equatable {
    public let className: String
    public let count: Int
  }

  public let cause: Cause
  /// The way around the cycle, from the owner on: the last step is the first one's object again. Otherwise the way from
  /// what nothing refers to, to the object.
  public internal(set) var steps: [LeakStep]
  /// The program's own objects that are lost, by class, the most first.
  public let lost: [ClassCount]
  /// All memory that is lost, storage included.
  public let bytes: Int
  /// Further groups of the same shape from the same place.
  public internal(set) var similar = 0
  /// Whether all of those lost their references at the same place; of too many it is not looked at.
  public internal(set) var isSimilarKnown = true
  /// The program's own objects in all groups, this one included, and their memory.
  public internal(set) var totalObjects: Int
  public internal(set) var totalBytes: Int
  /// Classes of the program's own of which other groups lost objects and this one did not, by name.
  public private(set) var otherClasses: [String] = []
  public let cut: LeakCut?
  /// For an object that nothing refers to: the references that nothing balanced.
  public internal(set) var unbalanced: [HistoryRow] = []
  /// Why some references have no line, each object once.
  public private(set) var doubts: [Doubt] = []

  init(cause: Cause, steps: [LeakStep], lost: [ClassCount], bytes: Int, cut: LeakCut?) {
    self.cause = cause
    self.steps = steps
    self.lost = lost
    self.bytes = bytes
    self.cut = cut
    totalObjects = lost.reduce(0) { $0 + $1.count }
    totalBytes = bytes
  }

  /// Another leak is like this one, which tells of it.
  mutating func count(_ other: Leak) {
    similar += 1 + other.similar
    totalObjects += other.totalObjects
    totalBytes += other.totalBytes
    let own = Set(lost.map(\.className))
    otherClasses = Set(otherClasses + other.otherClasses + other.lost.map(\.className)).subtracting(own).sorted()
  }

  mutating func note(_ doubt: Doubt?) {
    guard let doubt, !doubts.contains(where: { $0.object == doubt.object }) else { return }
    doubts.append(doubt)
  }

  public var objectCount: Int { lost.reduce(0) { $0 + $1.count } }
}
