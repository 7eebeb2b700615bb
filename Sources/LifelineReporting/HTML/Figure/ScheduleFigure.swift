/// The order that matters: a line for each thread, and from left to right what must happen before what.
struct ScheduleFigure {
  private struct Mark {
    let event: UInt64
    let thread: String
    let text: String
    let isFault: Bool
  }

  private let marks: [Mark]
  /// For each hold, the marks between which its thread is held.
  private let stretches: [(thread: String, from: UInt64, to: UInt64)]
  private let threads: [String]
  private static let limit = 6, step = 230, rise = 64, margin = 14, label = 150

  init(holds: [Report.Exploration.Hold]) {
    var marks: [Mark] = []
    for hold in holds.prefix(Self.limit) {
      let object = hold.object.map { " of \($0.id)" } ?? ""
      marks.append(
        Mark(
          event: hold.event, thread: hold.thread,
          text: "held \(hold.isAfter ? "after" : "before") \(hold.before)\(object)",
          isFault: false))
      if let end = hold.end {
        marks.append(Mark(event: end.event, thread: end.thread, text: "end\(object)", isFault: true))
      }
      if let event = hold.endEvent {
        marks.append(Mark(event: event, thread: hold.thread, text: "continues", isFault: false))
      }
    }
    self.marks = marks.sorted { $0.event < $1.event }
    stretches = holds.prefix(Self.limit).compactMap { hold in hold.endEvent.map { (hold.thread, hold.event, $0) } }
    threads = self.marks.reduce(into: []) { list, mark in if !list.contains(mark.thread) { list.append(mark.thread) } }
  }

  var markup: Markup {
    guard !marks.isEmpty else { return "" }
    let width = Self.label + marks.count * Self.step + Self.margin, height = threads.count * Self.rise + Self.margin
    let lines = threads.indices.map { index -> Markup in
      let y = self.y(threads[index])
      return """
        <text class="name" x="\(Self.margin)" y="\(y + 4)">\(threads[index], limit: 24)</text>\
        <path class="end" d="M\(Self.label) \(y)H\(width - Self.margin)"/>

        """
    }.joined()
    let still = stretches.map { stretch -> Markup in
      let way: Markup = "M\(x(stretch.from)) \(y(stretch.thread))H\(x(stretch.to))"
      return """
        <path class="dead-line" stroke="currentColor" stroke-width="5" stroke-dasharray="2 4" d="\(way)"/>

        """
    }.joined()
    let signs = marks.map { mark -> Markup in
      let shape: Markup = mark.isFault ? "final" : "born"
      let x = self.x(mark.event), y = self.y(mark.thread)
      return """
        <circle class="\(shape)" cx="\(x)" cy="\(y)" r="5"/>\
        <text x="\(x)" y="\(y - 12)" text-anchor="middle">\(mark.text, limit: 40)</text>

        """
    }.joined()
    return """
      <figure class="schedule"><div class="scroll" tabindex="0" role="region" aria-label="Picture of the schedule">\
      <svg class="plot" role="img" aria-label="Threads from top to bottom, time from left to right" \
      width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
      \(lines)\(still)\(signs)</svg></div></figure>

      """
  }

  private func y(_ thread: String) -> Int {
    (threads.firstIndex(of: thread) ?? 0) * Self.rise + Self.rise / 2 + Self.margin
  }

  private func x(_ event: UInt64) -> Int {
    Self.label + Self.step / 2 + (marks.firstIndex { $0.event == event } ?? 0) * Self.step
  }
}
