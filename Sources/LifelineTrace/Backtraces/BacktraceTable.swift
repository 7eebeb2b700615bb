/// All kept backtraces, as a tree of (caller, site).
///
/// Interning costs one hash look-up per frame that is new since the stream's last interned backtrace.
public struct BacktraceTable: Sendable {
  /// Both are adjacent in memory, because a look-up waits for it.
  private struct Node {
    let word: UInt64
    let parent: UInt32
  }

  /// A recently requested node.
  private struct Recent {
    var word: UInt64 = 0
    var parent: UInt32 = 0
    var node: UInt32 = 0
  }

  private var nodes = [Node(word: 0, parent: 0)]
  private var slots: [UInt32]
  private var mask: Int
  /// Stays in a core's cache, unlike the other tables of a long trace.
  private var recent = [Recent](repeating: Recent(), count: Self.recentCount)
  private static let recentCount = 4096

  public init() {
    slots = [UInt32](repeating: 0, count: 1024)
    mask = 1023
  }

  /// Number of distinct nodes, including the empty backtrace.
  public var count: Int { nodes.count }

  private func hash(_ parent: UInt32, _ word: UInt64) -> Int {
    var value = word &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(parent) &* 0xC2B2_AE3D_27D4_EB4F
    value ^= value >> 29
    return SlotHash.of(value)
  }

  /// The backtrace that adds `word` inside of `caller`.
  mutating func child(of caller: UInt32, word: UInt64) -> UInt32 {
    // The caller was looked up just before, so it comes in last: the rest does not wait for it.
    let place = Int((word &* 0x9E37_79B9_7F4A_7C15) >> 40 &+ UInt64(caller)) & (Self.recentCount - 1)
    if recent[place].word == word, recent[place].parent == caller, recent[place].node != 0 { return recent[place].node }
    let node = child(of: caller, word: word, hash(caller, word))
    recent[place] = Recent(word: word, parent: caller, node: node)
    return node
  }

  private mutating func child(of caller: UInt32, word: UInt64, _ hash: Int) -> UInt32 {
    var slot = hash & mask
    while slots[slot] != 0 {
      let node = nodes[Int(slots[slot])]
      if node.parent == caller, node.word == word { return slots[slot] }
      slot = (slot + 1) & mask
    }
    guard nodes.count < Int(UInt32.max) else { return caller }
    let node = UInt32(nodes.count)
    nodes.append(Node(word: word, parent: caller))
    slots[slot] = node
    if nodes.count * 2 > slots.count { grow() }
    return node
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    mask = slots.count - 1
    for node in 1..<nodes.count {
      var slot = hash(nodes[node].parent, nodes[node].word) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(node)
    }
  }

  /// The backtrace without its innermost site: everything outside of the call.
  public func caller(of id: BacktraceID) -> BacktraceID {
    Int(id.rawValue) < nodes.count ? BacktraceID(rawValue: nodes[Int(id.rawValue)].parent) : .empty
  }

  /// Of the backtraces from number `first` on, the callers, as `caller(of:)` returns them.
  func callers(from first: Int) -> [BacktraceID] {
    nodes[min(first, nodes.count)...].map { BacktraceID(rawValue: $0.parent) }
  }

  /// The innermost site of a backtrace; nil for the empty one.
  public func innermost(of id: BacktraceID) -> BacktraceEntry? {
    id.rawValue != 0 && Int(id.rawValue) < nodes.count ? BacktraceEntry(word: nodes[Int(id.rawValue)].word) : nil
  }

  /// The sites of a backtrace, innermost first.
  public func entries(_ id: BacktraceID) -> [BacktraceEntry] {
    var result: [BacktraceEntry] = []
    var node = Int(id.rawValue)
    while node != 0, node < nodes.count {
      result.append(BacktraceEntry(word: nodes[node].word))
      node = Int(nodes[node].parent)
    }
    return result
  }

  /// Interns a backtrace given innermost first.
  public mutating func intern(_ sites: [BacktraceEntry]) -> BacktraceID {
    BacktraceID(rawValue: sites.reversed().reduce(0) { child(of: $0, word: $1.word) })
  }
}
