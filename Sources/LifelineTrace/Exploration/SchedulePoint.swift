/// A point of an exploration at which a thread passed or was held.
public struct SchedulePoint: Sendable, Equatable {
  /// What the thread was about to do; after `unlock`, `wait` and `signal`, what it had done.
  public enum Side: UInt64, Sendable, CaseIterable {
    case use = 0
    case release = 1
    case deinitialization = 2
    case allocation = 3
    case lock = 4
    case unlock = 5
    case wait = 6
    case signal = 7
    case enqueue = 8
    case run = 9
    case `switch` = 10

    /// Whether threads meet there, without touching an object's life.
    public var isMeeting: Bool { rawValue >= Side.lock.rawValue }
    /// Whether the point is named by the code that runs next.
    public var isOfCode: Bool { self == .run || self == .switch }
  }

  /// What happened to the thread there.
  public enum Outcome: UInt64, Sendable {
    case passed = 0
    case held = 1
    /// It was released because the awaited event happened: the object ended, or another thread did the same.
    case overtaken = 2
    /// It was released because its time was up.
    case wentOn = 3
  }

  /// Whether a task is enqueued there, where no other thread meets it.
  public var isOfTask: Bool { side == .enqueue && object == 1 }

  /// Its site, and the number of the visit.
  public let hold: Schedule.Hold
  public let side: Side
  public let outcome: Outcome
  /// Address of the object; of its class, before an allocation; of what threads meet at, or of the code that runs next.
  public let object: UInt64
  public let thread: UInt32
  /// Number of the event.
  public let event: UInt64
  /// How long it was held, set when it was released.
  public let microseconds: UInt64

  /// Nil for an event of another kind.
  public init?(_ event: Event) {
    guard event.kind == .point, let side = Side(rawValue: event.argument2 >> 2 & 63),
      let outcome = Outcome(rawValue: event.argument2 & 3)
    else {
      return nil
    }
    hold = Schedule.Hold(
      key: UInt32(truncatingIfNeeded: event.argument0), visit: UInt32(truncatingIfNeeded: event.argument1))
    self.side = side
    self.outcome = outcome
    object = event.object
    thread = event.thread
    self.event = event.sequence
    microseconds = event.argument2 >> 8
  }
}
