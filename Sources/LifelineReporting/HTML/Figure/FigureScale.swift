/// The horizontal scale of a figure: its events at equal distances.
///
/// Lives have bursts of events a few nanoseconds apart and long silences between them, so equal steps show what true
/// time hides; the script offers both. Positions are whole numbers, so that the same report gives the same bytes: event
/// number i of n is at 2i + 1, the left edge is 0, the right edge 2n.
struct FigureScale {
  /// Event numbers, ascending.
  let events: [UInt64]
  /// Nanoseconds since the start of the recording, of each event.
  let times: [UInt64]

  /// Every event that is drawn; the time of an event that is only in a backtrace is taken from its neighbor.
  init(timelines: [Report.ObjectTimeline], others: [UInt64]) {
    var known: [UInt64: UInt64] = [:]
    for timeline in timelines {
      for hold in HoldSelection(timeline.holds).lanes.flatMap(\.holds) {
        known[hold.fromEvent] = hold.fromTime
        if !hold.isOpen { known[hold.toEvent] = hold.fromTime.addingReportingOverflow(hold.duration).partialValue }
      }
    }
    for event in timelines.flatMap(\.events) { known[event.event] = event.time }
    events = Set(known.keys).union(others).sorted()
    var times: [UInt64] = []
    for event in events { times.append(max(known[event] ?? 0, times.last ?? 0)) }
    self.times = times
  }

  var end: Int { max(events.count, 1) * 2 }

  /// Position of an event; of one that is not drawn, that of the previous one.
  func position(_ event: UInt64) -> Int {
    var low = 0
    var high = events.count
    while low < high {
      let middle = (low + high) / 2
      if events[middle] <= event { low = middle + 1 } else { high = middle }
    }
    return max(0, 2 * low - 1)
  }

  /// The time of an event: for the first one on the recording's clock, for others relative to the first, "+1,143.2 µs",
  /// precise enough to distinguish neighbors. Empty for one that has the first one's time: not every event reads the
  /// clock. The script writes the same.
  func time(_ index: Int) -> String {
    let first = times.first ?? 0
    guard index > 0 else { return Quantity.duration(first) }
    let offset = times[index] - first
    if offset == 0 { return "" }
    let span = (times.last ?? 0) - first
    if span < 1000 { return "+\(offset) ns" }
    let (unit, name): (UInt64, String) =
      span < 10_000_000 ? (1000, "µs") : span < 10_000_000_000 ? (1_000_000, "ms") : (1_000_000_000, "s")
    return "+\(Quantity.number(offset / unit)).\(offset % unit / (unit / 10)) \(name)"
  }

  /// A position as a percentage with two decimals.
  func percent(_ position: Int) -> String {
    let hundredths = position * 10000 / end
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)%"
  }

  /// Attributes of a shape that begins and ends at positions; the script reads `data-a` and `data-b` when it zooms.
  func span(_ from: Int, _ to: Int) -> Markup {
    let to = max(from, to)
    return "data-a=\"\(from)\" data-b=\"\(to)\" x=\"\(percent(from))\" width=\"\(percent(to - from))\""
  }

  /// Attributes of a mark or text at a position.
  func point(_ position: Int) -> Markup { "data-a=\"\(position)\" x=\"\(percent(position))\"" }

  /// Attributes of a vertical line at a position.
  func vertical(_ position: Int) -> Markup {
    "data-a=\"\(position)\" x1=\"\(percent(position))\" x2=\"\(percent(position))\""
  }
}
