import LifelineLifetimes
import LifelineTrace

/// The diagnosed lifetime of one object: who held it, and whether it ended when it should.
public struct ObjectLifetime: Sendable {
  public enum Timing: Sendable {
    /// It died when its last owner released it.
    case onTime
    /// A transient framework activity kept it after that.
    case late(LateDeallocation)
    /// It was live at the end, and no transient activity was known to keep it.
    case never
    /// It was used after its end.
    case tooEarly
    /// Its deallocation, or what led to it, was not seen, or some of its owners may not have been seen.
    case unknown

    /// "on time", "late", "never", "too early", "unknown".
    public var name: String {
      switch self {
      case .onTime: "on time"
      case .late: "late"
      case .never: "never"
      case .tooEarly: "too early"
      case .unknown: "unknown"
      }
    }
  }

  public let history: ObjectHistory
  public let pairing: Pairing
  /// In the order of their retains; references without a balancing release are open holds.
  public let holds: [Hold]
  private let index: HoldIndex
  /// The retain by which another thread took the object while its deinit ran.
  public let intruder: HistoryRow?
  /// The retain by which the deinit's own code let the object escape, if another thread then took it while the deinit
  /// ran.
  var escape: HistoryRow?
  /// Set whenever the object outlived its last owner, even if it was used after its end.
  public internal(set) var lateDeallocation: LateDeallocation?

  /// The property that the final release took the object out of, as the code of its owner's method says.
  public internal(set) var lastProperty: Holder?

  private static let usesAfterEnd: [EventKind] = [.useAfterFree, .unownedAfterDeinit, .resurrection, .stray]

  init(
    history: ObjectHistory, pairing: Pairing, holds: [Hold], intruder: HistoryRow?,
    lateDeallocation: LateDeallocation? = nil
  ) {
    self.history = history
    self.pairing = pairing
    self.holds = holds
    index = HoldIndex(holds)
    self.intruder = intruder
    self.lateDeallocation = lateDeallocation
  }

  public var id: ObjectID { history.id }
  /// Events of this object whose count did not follow from the previous one: events are missing or out of order.
  public var gaps: Int { history.rows.count(where: \.isAfterGap) }
  /// How the order of its events on different threads is known.
  public var order: OrderProof { OrderProof(history.rows) }
  /// Every reference is accounted for.
  public var isComplete: Bool {
    gaps == 0 && !history.isOlder && pairing.unpairedReleases.isEmpty
      && (pairing.unpairedRetains.isEmpty || history.finalRelease == nil)
  }

  public var timing: Timing {
    if intruder != nil || escape != nil || history.rows.contains(where: { Self.usesAfterEnd.contains($0.event.kind) }) {
      return .tooEarly
    }
    guard history.finalRelease != nil else {
      if let lateDeallocation { return .late(lateDeallocation) }
      return history.deallocation == nil && history.free == nil ? .never : .unknown
    }
    if history.isOlder { return .unknown }
    if let lateDeallocation { return .late(lateDeallocation) }
    return passingOwner == nil ? .onTime : .unknown
  }

  /// A passing activity that seems to have had the object since its allocation, where it is a guess which references
  /// some calls had: one of these may have been an owner's, before the activity got the object.
  public var passingOwner: Hold? {
    guard let final = history.finalRelease?.event.sequence,
      let last = holds.first(where: { $0.to == final && $0.holder.isTransient }), last.retain.event.kind == .allocate,
      !holds.contains(where: \.holder.isOwner), holds.contains(where: { $0.confidence == .perhaps })
    else { return nil }
    return last
  }

  /// The same object, which an activity still kept when the program was stopped: what it kept is its hold from then on.
  func kept(by late: LateDeallocation) -> ObjectLifetime {
    var all = holds
    if let index = all.firstIndex(where: { $0.to == nil && $0.retain.event.sequence == late.kept.retain.event.sequence }
    ) {
      if let start = late.kept.activityStart, start.sequence > all[index].from {
        all[index].handover = start
        all.insert(late.kept, at: index + 1)
      } else {
        all[index] = late.kept
      }
    }
    var result = ObjectLifetime(
      history: history, pairing: pairing, holds: all, intruder: intruder, lateDeallocation: late)
    (result.escape, result.lastProperty) = (escape, lastProperty)
    return result
  }

  /// The holds that held after an event, in the order of their retains.
  func holding(at sequence: UInt64) -> [Hold] { index.holding(at: sequence).map { holds[$0] } }

  /// The holders of the object after an event: owners first, then transient ones.
  public func holders(at sequence: UInt64) -> [Hold] {
    holding(at: sequence).sorted {
      ($0.holder.isOwner ? 0 : 1, $0.from) < ($1.holder.isOwner ? 0 : 1, $1.from)
    }
  }
}
