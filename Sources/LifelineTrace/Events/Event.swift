/// One event: what happened to which object, when, on which thread.
///
/// Plain numbers only, so that a hundred million of them can pass by without an allocation. Its backtrace is in its
/// `EventReader` until the next event is requested.
public struct Event: Sendable, Equatable {
  public var kind: EventKind = .thread
  /// Position in the merged order of all threads, from 1: the "event 112" of reports.
  public var sequence: UInt64 = 0
  /// Address; 0 for kinds without an object.
  public var object: UInt64 = 0
  /// Strong count after the event; -1 if the kind has none or it could not be read.
  public var count: Int64 = -1
  /// Event clock: exact, or the latest known time before the event.
  public var clock: UInt64 = 0
  public var thread: UInt32 = 0
  /// String record of the label of the serial dispatch queue whose code the thread was running; 0 if it ran none, or
  /// one without a label.
  public var queue: UInt32 = 0
  /// Number of the asynchronous task that the thread was running, as numbered by the runtime; 0 if it ran none.
  public var task: UInt64 = 0
  public var argument0: UInt64 = 0
  public var argument1: UInt64 = 0
  public var argument2: UInt64 = 0
  /// Index of its stream.
  public var stream: Int = 0

  public init() {}

  /// Whether its backtrace is informative about the object's life: its beginning, its end, or a problem with it.
  @inline(__always)
  public var keepsBacktrace: Bool {
    switch kind {
    case .allocate: true
    default: count == 0 || kind.isCaught
    }
  }

  /// References added to the strong count, according to the kind and its arguments.
  public var strongChange: Int64 {
    switch kind {
    case .retain, .unownedRetainStrong, .unownedRetainStrongAndRelease: 1
    case .release: -1
    case .retainN: Int64(truncatingIfNeeded: argument0 & 0xFFFF_FFFF)
    case .releaseN: -Int64(truncatingIfNeeded: argument0 & 0xFFFF_FFFF)
    case .tryRetain: argument0 != 0 ? 1 : 0
    case .weakLoad: argument1 != 0 ? 1 : 0
    case .allocate: 1
    default: 0
    }
  }
}
