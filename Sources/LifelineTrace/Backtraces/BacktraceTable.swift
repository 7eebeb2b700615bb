/// A backtrace's number in the `BacktraceTable`; equal backtraces have equal numbers. 0 is the empty one.
public struct BacktraceID: Hashable, Sendable, Comparable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let empty = BacktraceID(rawValue: 0)
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// All backtraces to be kept, as a tree of (caller, site).
///
/// Interning costs one hash look-up per frame that is new since the stream's last interned backtrace.
public struct BacktraceTable: Sendable {
  private var parents: [UInt32] = [0]
  private var words: [UInt64] = [0]
  private var slots: [UInt32]
  private var mask: Int

  public init() {
    slots = [UInt32](repeating: 0, count: 1024)
    mask = 1023
  }

  /// Number of distinct nodes, the empty backtrace included.
  public var count: Int { parents.count }

  private func hash(_ parent: UInt32, _ word: UInt64) -> Int {
    var value = word &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(parent) &* 0xC2B2_AE3D_27D4_EB4F
    value ^= value >> 29
    return SlotHash.of(value)
  }

  /// The backtrace that adds `word` inside of `caller`.
  mutating func child(of caller: UInt32, word: UInt64) -> UInt32 {
    var slot = hash(caller, word) & mask
    while slots[slot] != 0 {
      let node = Int(slots[slot])
      if parents[node] == caller, words[node] == word { return slots[slot] }
      slot = (slot + 1) & mask
    }
    guard parents.count < Int(UInt32.max) else { return caller }
    let node = UInt32(parents.count)
    parents.append(caller)
    words.append(word)
    slots[slot] = node
    if parents.count * 2 > slots.count { grow() }
    return node
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for node in 1..<parents.count {
      var slot = hash(parents[node], words[node]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(node)
    }
  }

  /// The backtrace without its innermost site: everything outside of the call.
  public func caller(of id: BacktraceID) -> BacktraceID {
    Int(id.rawValue) < parents.count ? BacktraceID(rawValue: parents[Int(id.rawValue)]) : .empty
  }

  /// The innermost site of a backtrace; nil for the empty one.
  public func innermost(of id: BacktraceID) -> BacktraceEntry? {
    id.rawValue != 0 && Int(id.rawValue) < words.count ? BacktraceEntry(word: words[Int(id.rawValue)]) : nil
  }

  /// The sites of a backtrace, innermost first.
  public func entries(_ id: BacktraceID) -> [BacktraceEntry] {
    var result: [BacktraceEntry] = []
    var node = Int(id.rawValue)
    while node != 0, node < parents.count {
      result.append(BacktraceEntry(word: words[node]))
      node = Int(parents[node])
    }
    return result
  }

  /// Interns a backtrace given innermost first.
  public mutating func intern(_ sites: [BacktraceEntry]) -> BacktraceID {
    BacktraceID(rawValue: sites.reversed().reduce(0) { child(of: $0, word: $1.word) })
  }
}
