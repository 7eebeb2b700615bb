import LifelineTrace

/// Addresses at which an object is live or ended recently: open addressing with 32 bytes per slot, and between three
/// eighths and three quarters of the slots taken (once there are more than 768).
struct LiveTable {
  struct Entry {
    var address: UInt64 = 0
    /// When the object began; if it has ended, when it ended.
    var clock: UInt64 = 0
    /// Index of the class; if the object has ended, its complement, or `unknown`.
    var owner: Int32 = 0
    /// Number of its allocation's backtrace; if the object has ended, the round in which that was read.
    var site: UInt32 = 0
    /// The stream with the latest event.
    var stream: UInt32 = 0
    var size: UInt32 = 0

    var isLive: Bool { owner >= 0 }
  }

  static let unknown = Int32.min

  private(set) var places: [Entry]
  private(set) var count = 0
  private var mask: Int

  init() {
    places = Array(repeating: Entry(), count: 1024)
    mask = 1023
  }

  @inline(__always)
  private func home(_ address: UInt64) -> Int { SlotHash.of(address) & mask }

  /// The slot of an address, taken or free.
  @inline(__always)
  func place(of address: UInt64) -> Int {
    var place = home(address)
    while places[place].address != 0, places[place].address != address { place = (place + 1) & mask }
    return place
  }

  subscript(place: Int) -> Entry {
    @inline(__always) get { places[place] }
    @inline(__always) set { places[place] = newValue }
  }

  /// Fills a free slot returned by `place(of:)`.
  mutating func insert(_ entry: Entry, at place: Int) {
    places[place] = entry
    count += 1
    if count * 4 > places.count * 3 { grow() }
  }

  /// Empties a slot; the following ones move up, so that no search ends too early.
  mutating func remove(at place: Int) {
    var hole = place
    var next = (place + 1) & mask
    while places[next].address != 0 {
      let distance = (next - home(places[next].address)) & mask
      if distance >= (next - hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole] = Entry()
    count -= 1
  }

  /// Removes all entries that ended in a round before `round`; the time grows with the table.
  mutating func sweep(before round: UInt32) {
    let kept = places.filter { $0.address != 0 && ($0.isLive || $0.site >= round) }
    var capacity = 1024
    while kept.count * 4 > capacity * 3 { capacity *= 2 }
    rebuild(kept, capacity: capacity)
  }

  private mutating func grow() { rebuild(places.filter { $0.address != 0 }, capacity: places.count * 2) }

  private mutating func rebuild(_ kept: [Entry], capacity: Int) {
    places = Array(repeating: Entry(), count: capacity)
    mask = capacity - 1
    for entry in kept { places[place(of: entry.address)] = entry }
    count = kept.count
  }
}
