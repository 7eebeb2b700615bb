import LifelineLifetimes
import LifelineTrace

/// One diagnosed problem, as pure values: objects, events and backtrace numbers, but no function names yet.
public struct Finding: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case useAfterFree = "use-after-free"
    case overRelease = "over-release"
    case lateDeallocation = "late-deallocation"
    case nearMiss = "near-miss"
    case leak
    case unownedAfterDeinit = "unowned-after-deinit"
    case resurrection
    case notAnObject = "not-an-object"
  }

  public enum Severity: String, Sendable {
    case error, warning, note
  }

  /// How a dead object was touched.
  public enum Access: String, Sendable {
    case message, retain, release, read, write

    /// From the number in an event.
    public init?(number: UInt64) {
      switch number & 0xFF {
      case 1: self = .message
      case 2: self = .retain
      case 3: self = .release
      case 4: self = .read
      case 5: self = .write
      default: return nil
      }
    }
  }

  /// A stack, as a stray event tells.
  public enum Stack: UInt64, Sendable {
    /// That of the thread that made the access.
    case own = 0x100
    case main = 0x200
  }

  public enum Role: String, Sendable {
    case access
    case deallocation
    case finalRelease = "final-release"
    case lastOwnerRelease = "last-owner-release"
    case allocation
    case hold
    case retain
    case release
  }

  /// A place in the code that matters to the finding, and the event there.
  public struct Place: Sendable {
    public let role: Role
    public let event: Event
    public let backtrace: BacktraceID
  }

  public let kind: Kind
  public let severity: Severity
  public let object: ObjectID
  public let access: Access?
  /// For a message, the address of the method; for a read or write, of the memory.
  public let accessedAddress: UInt64
  /// For something that is no object: the stack that its address is on.
  public var stack: Stack?
  /// Whether a read was one of the first word, which says the object's class.
  public var isReadOfClass = false
  /// Whether a read is known by what was done with the reference that was read.
  public var isReadOfReference = false
  public let places: [Place]
  /// The object's lifetime, if its full history was read.
  public internal(set) var lifetime: ObjectLifetime?
  /// The code that used it.
  public internal(set) var sender: Sender?
  /// If the code that used it has no such reference itself: the only one in the program that it can have used, unless a
  /// variable has one.
  public internal(set) var possibleReference: Sender?
  /// The closure that used it and may have captured it.
  public internal(set) var capturer: Capturer?
  /// For a leak: how the objects are held and what would free them.
  public internal(set) var leak: Leak?
  /// The consequences of a late deallocation.
  public internal(set) var consequences: [Consequence] = []
  /// For an over-release or a use after free: the code that counted references manually and released too many.
  public internal(set) var handCounts: [HandCount] = []
  /// For a use after free: whether some release looks like one of `Unmanaged`, if no code is known to count manually.
  public internal(set) var hasHandReleases = false
  /// Those that are not just as well the end of a variable of the function that allocated the object.
  public internal(set) var handReleases: [HistoryRow] = []
  /// The number of further objects that died the same way at the same place and were not examined.
  public internal(set) var similar = 0

  /// For a use after free: whether the class that used the object has a property that owns such objects, and nothing in
  /// the program refers to them without owning them, so that an owner may have lost its reference.
  public internal(set) var isByOwner = false

  /// For a near miss: whether the code that was given the object may itself have stored the reference that was used.
  public internal(set) var isPerhapsGiven = false

  /// The same problem of other objects at the same lines: for late deallocations and near misses.
  public internal(set) var alike: [Finding] = []

  init(kind: Kind, severity: Severity, object: ObjectID, access: Access?, accessedAddress: UInt64, places: [Place]) {
    self.kind = kind
    self.severity = severity
    self.object = object
    self.access = access
    self.accessedAddress = accessedAddress
    self.places = places
  }

  /// Whether a late deallocation had a consequence, or the object was kept by an activity that was not given it.
  var isWorthTelling: Bool {
    if let late = lifetime?.lateDeallocation, case .activity(let rule) = late.kept.holder, rule.scope == .call,
      !late.isOfNotification
    {
      return true
    }
    return !consequences.isEmpty
  }

  /// The classes whose retains and releases explain it: those of the object, its holders, and the code that used it.
  public var classes: Set<String> {
    var result: Set = [object.className]
    if let sender { result.insert(sender.className) }
    if let leak {
      result.formUnion(leak.steps.filter { $0.kind != .storage }.map(\.className) + leak.lost.map(\.className))
    }
    return result.subtracting([""])
  }

  /// The place with a role, if the recording has it.
  public func place(_ role: Role) -> Place? { places.first { $0.role == role } }
}
