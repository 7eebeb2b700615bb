import LifelineTrace

/// What is live at each address and who allocated it, from events that arrive stream by stream rather than in one order
/// of all threads (`Event.isBirth(after:of:in:)`).
///
/// An end may be read before its allocation, which follows in the next look at the latest.
struct AddressLives {
  /// The latest knowledge about an address: the object allocated there, or that it ended.
  struct Life: Equatable {
    fileprivate(set) var isLive: Bool
    fileprivate let stream: UInt32
    fileprivate let clock: UInt64
    /// The look in which an end was read.
    fileprivate var look = 0
    /// The number of the class's record.
    var record = -1
    var backtrace = BacktraceID.empty
    /// The number of the scope that allocated it; 0 for none.
    var number: UInt32 = 0
    /// The innermost span of its thread's work in which it was allocated; 0 for none.
    var span: UInt64 = 0
  }

  /// Whether the recorder caught a use after free or another problem.
  private(set) var hasCaught = false

  private var lives: [UInt64: Life] = [:]
  /// Addresses of objects that ended in the previous look and in this one.
  private var ended: [[UInt64]] = [[], []]
  private var look = 1
  /// The object that each stream allocated with its last event.
  private var allocated: [UInt32: UInt64] = [:]
  /// The open spans of each thread, innermost last; and the enclosing span of each span, by number.
  private var open: [UInt32: [UInt64]] = [:]
  private var outer: [UInt64: UInt64] = [:]

  /// The number of known addresses.
  var count: Int { lives.count }
  /// The live objects, in no order.
  var live: some Sequence<Life> { lives.values.lazy.filter(\.isLive) }

  /// The live object at an address.
  subscript(address: UInt64) -> Life? { lives[address].flatMap { $0.isLive ? $0 : nil } }

  /// Takes the next event of a stream.
  mutating func take(_ event: Event, _ backtrace: BacktraceID = .empty, stream: UInt32) {
    let before = allocated.removeValue(forKey: stream)
    switch event.kind {
    case .allocate:
      if let known = lives[event.object], !event.isBirth(after: known.clock, of: known.stream, in: stream) { return }
      allocated[stream] = event.object
      lives[event.object] = Life(
        isLive: true, stream: stream, clock: event.clock, record: Int(event.argument0 & 0xFFFF_FFFF),
        backtrace: backtrace, span: open[event.thread]?.last ?? 0)
    case .cause:
      if let before { lives[before]?.number = UInt32(truncatingIfNeeded: event.argument0) }
    case .span: turn(event.argument1, of: event.thread)
    case .deallocate, .free: end(event, stream)
    default:
      if event.kind.isCaught { hasCaught = true }
      if event.strongChange < 0, event.count == 0 { end(event, stream) }
    }
  }

  /// Ends a look: every stream was read up to a moment after the previous call, so what ended before that is forgotten.
  mutating func endLook() {
    for address in ended[0] where lives[address].map({ !$0.isLive && $0.look < look }) ?? false {
      lives[address] = nil
    }
    ended = [ended[1], []]
    look += 1
  }

  /// Whether a span of a thread's work began and ended.
  func isOver(span: UInt64) -> Bool { outer[span] != nil && !open.values.contains { $0.contains(span) } }

  /// Whether an object was allocated in a span, or in one nested in it.
  func isPart(_ life: Life, of span: UInt64) -> Bool {
    var around = life.span
    while around != 0, around != span { around = outer[around] ?? 0 }
    return around == span
  }

  private mutating func end(_ event: Event, _ stream: UInt32) {
    let known = lives[event.object]
    if let known, !event.isEnd(after: known.clock, of: known.stream, in: stream) { return }
    lives[event.object] = Life(isLive: false, stream: stream, clock: event.clock, look: look)
    // An object ends in up to three events.
    if known?.isLive != false || known?.look != look { ended[1].append(event.object) }
  }

  /// Begins or ends a span.
  private mutating func turn(_ span: UInt64, of thread: UInt32) {
    if let place = open[thread]?.lastIndex(of: span) {
      open[thread]?.remove(at: place)
    } else {
      outer[span] = open[thread]?.last ?? 0
      open[thread, default: []].append(span)
    }
  }
}
