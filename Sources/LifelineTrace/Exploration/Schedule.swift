/// When the threads of a run are held back, at points where the lives of objects cross.
///
/// One number names it, so that a run can be repeated: that of a random schedule is its seed, and that of one or two
/// holds is made of them.
public enum Schedule: Sendable, Hashable {
  /// Nobody is held; the points are written down.
  case none
  /// What a seed from 1 to `lastSeed` decides.
  case random(UInt64)
  /// Only these. The patient ones last several times as long: for a machine that is so busy that what is waited for
  /// comes late.
  case holds([Hold], isPatient: Bool = false)

  /// A place where a thread is held until what it is about to do comes too late, or the time is over.
  public struct Hold: Sendable, Hashable {
    /// The site: a number that the probe makes of the place in the code, the same in every run. 1…`lastKey`.
    public let key: UInt32
    /// The how-manyth time any thread comes there, 1…`lastVisit`; 0 for each time.
    public let visit: UInt32

    public static let lastKey: UInt32 = 1 << keyBits - 1
    public static let lastVisit: UInt32 = 1 << visitBits - 1
    static let keyBits = 22, visitBits = 8

    public init(key: UInt32, visit: UInt32) {
      self.key = key
      self.visit = visit
    }

    fileprivate var bits: UInt64 { UInt64(key) << Self.visitBits | UInt64(visit) }

    fileprivate init?(bits: UInt64) {
      self.init(key: UInt32(bits >> Self.visitBits), visit: UInt32(bits) & Self.lastVisit)
      guard key != 0 else { return nil }
    }
  }

  public static let lastSeed: UInt64 = 1 << 32 - 1
  private static let marksHolds: UInt64 = 1 << 62, marksPatience: UInt64 = 1 << 61
  private static let holdBits = Hold.keyBits + Hold.visitBits

  /// The holds; empty for natural and random schedules.
  public var holds: [Hold] {
    guard case .holds(let holds, _) = self else { return [] }
    return holds
  }

  public var isPatient: Bool {
    guard case .holds(_, let isPatient) = self else { return false }
    return isPatient
  }

  /// The same holds, each several times as long; a schedule without explicit holds is unchanged.
  public var patient: Schedule {
    guard case .holds(let holds, _) = self else { return self }
    return .holds(holds, isPatient: true)
  }

  /// Nil for a number that stands for no schedule.
  public init?(number: UInt64) {
    if (1...Self.lastSeed).contains(number) {
      self = .random(number)
      return
    }
    let isPatient = number & Self.marksPatience != 0
    let bits = number & ~Self.marksPatience ^ Self.marksHolds
    guard bits >> (2 * Self.holdBits) == 0, let first = Hold(bits: bits & (1 << Self.holdBits - 1)) else { return nil }
    let rest = bits >> Self.holdBits
    guard rest != 0 else {
      self = .holds([first], isPatient: isPatient)
      return
    }
    guard let second = Hold(bits: rest) else { return nil }
    self = .holds([first, second], isPatient: isPatient)
  }

  /// Nil where no number can name it: more than two holds, or a visit that is too late.
  public var number: UInt64? {
    switch self {
    case .none: return nil
    case .random(let seed): return (1...Self.lastSeed).contains(seed) ? seed : nil
    case .holds(let holds, let isPatient):
      let fits = holds.allSatisfy { (1...Hold.lastKey).contains($0.key) && $0.visit <= Hold.lastVisit }
      guard fits, (1...2).contains(holds.count) else { return nil }
      let second = holds.count == 2 ? holds[1].bits << Self.holdBits : 0
      return Self.marksHolds | (isPatient ? Self.marksPatience : 0) | holds[0].bits | second
    }
  }
}
