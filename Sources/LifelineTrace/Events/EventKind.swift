/// What happened to an object; the numbers are the format's (lifeline_event.h).
public enum EventKind: UInt8, Sendable, CaseIterable {
  case retain = 1
  case release = 2
  case allocate = 3
  case free = 4
  case deallocate = 5
  case retainN = 6
  case releaseN = 7
  case tryRetain = 8
  case unownedRetain = 9
  case unownedRelease = 10
  case weakLoad = 11
  case weakInit = 12
  case weakDestroy = 13
  case unownedRetainStrong = 14
  case unownedRetainStrongAndRelease = 16
  case weakAssign = 17
  case weakCopy = 18
  case thread = 19
  case mark = 20
  case useAfterFree = 21
  case overRelease = 22
  case resurrection = 23
  case unownedAfterDeinit = 24
  case stray = 25
  case reference = 26
  case span = 27
  case hold = 28
  case cause = 29
  case task = 30
  case point = 31
  case base = 32
  case queue = 33

  /// Numbers of kinds are less than this.
  public static let limit = 64

  /// The format's name of the kind.
  public var name: String { "\(self)" }

  /// Whether the probe caught a problem with an object.
  public var isCaught: Bool {
    switch self {
    case .useAfterFree, .overRelease, .resurrection, .unownedAfterDeinit, .stray: true
    default: false
    }
  }

  /// Whether its events have the strong count after them.
  var hasCount: Bool { StreamDecoder.facts[Int(rawValue)].hasCount }
}
