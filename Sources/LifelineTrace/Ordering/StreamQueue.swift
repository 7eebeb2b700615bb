/// The streams with a pending event, earliest first; for equal times the lower stream (a binary heap).
struct StreamQueue {
  struct Entry {
    let clock: UInt64
    let stream: Int

    @inline(__always)
    static func < (a: Entry, b: Entry) -> Bool { a.clock < b.clock || (a.clock == b.clock && a.stream < b.stream) }
  }

  private var entries: [Entry] = []

  var first: Entry? { entries.first }

  mutating func insert(_ entry: Entry) {
    var place = entries.count
    entries.append(entry)
    while place > 0 {
      let parent = (place - 1) / 2
      guard entry < entries[parent] else { break }
      entries[place] = entries[parent]
      place = parent
    }
    entries[place] = entry
  }

  mutating func removeFirst() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    if !entries.isEmpty { sink(last) }
    return first
  }

  /// Replaces the first one by another.
  mutating func replaceFirst(with entry: Entry) -> Entry {
    guard let first = entries.first, first < entry else { return entry }
    sink(entry)
    return first
  }

  private mutating func sink(_ entry: Entry) {
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < entry else { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = entry
  }
}
