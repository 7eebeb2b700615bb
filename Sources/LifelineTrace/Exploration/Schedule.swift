/// When the threads of a run are held, at points where the lives of objects cross.
///
/// Each schedule has a number, so that a run can be repeated: a random schedule's is its seed, and that of one or two
/// holds encodes them.
public enum Schedule: Sendable, Hashable {
  /// No thread is held; the points are recorded.
  case none
  /// The decisions of a seed from 1 to `lastSeed`.
  case random(UInt64)
  /// Only these. Patient ones last several times as long, for a machine so busy that what is waited for comes late.
  case holds([Hold], isPatient: Bool = false)

  /// A place where a thread is held until what it is about to do comes too late, or its time is up.
  public struct Hold: Sendable, Hashable {
    /// The site: the probe's number for the place in the code, the same in every run. 1…`lastKey`.
    public let key: UInt32
    /// The number of the visit by any thread, 1…`lastVisit`; 0 for every visit.
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

  /// Nil for a number without a schedule.
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

  /// Nil if no number can encode it: more than two holds, or a visit number that is too large.
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
