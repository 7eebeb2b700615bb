import LifelineTrace

/// What lives at which address, and who allocated it, from events that come stream by stream and not in one order of
/// all threads (`Event.isBirth(after:of:in:)`).
///
/// An end may be read before the birth that it followed; the birth comes in the next look at the latest.
struct AddressLives {
  /// The last that is known of an address: what was born there, or that it ended.
  struct Life: Equatable {
    fileprivate(set) var isLive: Bool
    fileprivate let stream: UInt32
    fileprivate let clock: UInt64
    /// In which look an end was read.
    fileprivate var look = 0
    /// The number of the class's record.
    var record = -1
    var backtrace = BacktraceID.empty
    /// The number of the scope that allocated it; 0 for none.
    var number: UInt32 = 0
    /// The innermost stretch of its thread's work that it was allocated in; 0 for none.
    var span: UInt64 = 0
  }

  /// Something was used after it was freed, or went wrong in another way that the recorder catches.
  private(set) var hasCaught = false

  private var lives: [UInt64: Life] = [:]
  /// Addresses that ended in the look before, and in this one.
  private var ended: [[UInt64]] = [[], []]
  private var look = 1
  /// The object that each stream allocated with its last event.
  private var allocated: [UInt32: UInt64] = [:]
  /// The stretches that each thread is in, the innermost last; and what each stretch lies in, by its number.
  private var open: [UInt32: [UInt64]] = [:]
  private var outer: [UInt64: UInt64] = [:]

  /// Addresses of which something is known.
  var count: Int { lives.count }
  /// The live objects, in no order.
  var live: some Sequence<Life> { lives.values.lazy.filter(\.isLive) }

  /// The object that lives at an address.
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

  /// Every stream was read up to a moment after the last call: what ended before that one is forgotten.
  mutating func endLook() {
    for address in ended[0] where lives[address].map({ !$0.isLive && $0.look < look }) ?? false {
      lives[address] = nil
    }
    ended = [ended[1], []]
    look += 1
  }

  /// Whether a stretch of a thread's work began and ended.
  func isOver(span: UInt64) -> Bool { outer[span] != nil && !open.values.contains { $0.contains(span) } }

  /// Whether an object was allocated in a stretch, or in one within it.
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

  /// A stretch begins, or ends.
  private mutating func turn(_ span: UInt64, of thread: UInt32) {
    if let place = open[thread]?.lastIndex(of: span) {
      open[thread]?.remove(at: place)
    } else {
      outer[span] = open[thread]?.last ?? 0
      open[thread, default: []].append(span)
    }
  }
}
