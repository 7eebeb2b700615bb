import LifelineTrace

/// Which release balanced which retain.
///
/// The code that retains is the code that releases, nearly always: a function keeps an object for as long as it
/// runs, a setter takes over from an initialiser. So a release looks for an open retain, newest first:
/// 1. by the same call of the same function (equal callers): sure;
/// 2. by the call that is still running around it, which passed the reference on: likely;
/// 3. by the same function on the same thread, then on any: likely;
/// 4. the only open one that code of the same image made: likely;
/// 5. the only one that is open: likely.
/// What is left stays unpaired and visible. The allocation counts as the first retain.
public struct Pairing: Sendable {
  public enum Confidence: String, Sendable {
    case sure, likely
  }

  /// A retain (row index, number among its n) and the release that balanced it.
  public struct Pair: Sendable, Equatable {
    public let retain: Int
    public let release: Int
    public let confidence: Confidence
  }

  public let pairs: [Pair]
  /// Rows of retains that nothing balanced, once for each reference.
  public let unpairedRetains: [Int]
  public let unpairedReleases: [Int]

  /// What pairing needs to know of a row's place in the code.
  public struct Place: Hashable, Sendable {
    /// Identity of the function that called the runtime: the same for all its call sites.
    public let function: UInt64
    /// Identity of everything outside of that function: equal for two sites of one call.
    public let caller: UInt64
    /// The calls around it, by `key`, innermost first.
    public let enclosing: [UInt64]
    /// The image that the function belongs to, 0 when unknown.
    public let image: Int

    public init(function: UInt64, caller: UInt64, enclosing: [UInt64] = [], image: Int = 0) {
      self.function = function
      self.caller = caller
      self.enclosing = enclosing
      self.image = image
    }

    /// One number for the call: its function and everything outside of it.
    public var key: UInt64 { function &* 0x9E37_79B9_7F4A_7C15 ^ caller }

    func isSameCall(as other: Place) -> Bool { function == other.function && caller == other.caller }
  }

  private struct Open {
    let row: Int
    let place: Place
    let thread: UInt32
  }

  /// Pairs the rows of one object; `place` gives a row's place. O(rows × open retains).
  public init(_ history: ObjectHistory, place: (HistoryRow) -> Place) {
    var open: [Open] = []
    var pairs: [Pair] = []
    var unpairedReleases: [Int] = []
    for (index, row) in history.rows.enumerated() {
      let change = row.event.strongChange
      guard change != 0 else { continue }
      let here = place(row)
      if change > 0 {
        for _ in 0..<min(change, 1024) { open.append(Open(row: index, place: here, thread: row.event.thread)) }
        continue
      }
      for _ in 0..<min(-change, 1024) {
        guard let (chosen, confidence) = Self.choose(open, here, row.event.thread) else {
          unpairedReleases.append(index)
          continue
        }
        pairs.append(Pair(retain: open[chosen].row, release: index, confidence: confidence))
        open.remove(at: chosen)
      }
    }
    self.pairs = pairs
    unpairedRetains = open.map(\.row)
    self.unpairedReleases = unpairedReleases
  }

  private static func choose(_ open: [Open], _ here: Place, _ thread: UInt32) -> (Int, Confidence)? {
    if let index = open.lastIndex(where: { $0.place.isSameCall(as: here) && $0.thread == thread }) { return (index, .sure) }
    let around = Set(here.enclosing)
    if let index = open.lastIndex(where: { $0.thread == thread && around.contains($0.place.key) }) { return (index, .likely) }
    if let index = open.lastIndex(where: { $0.place.function == here.function && $0.thread == thread }) {
      return (index, .likely)
    }
    if let index = open.lastIndex(where: { $0.place.function == here.function }) { return (index, .likely) }
    let neighbours = open.indices.filter { here.image != 0 && open[$0].place.image == here.image }
    if neighbours.count == 1 { return (neighbours[0], .likely) }
    return open.count == 1 ? (0, .likely) : nil
  }
}
