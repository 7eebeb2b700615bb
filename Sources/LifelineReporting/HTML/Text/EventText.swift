/// An event described in words.
struct EventText {
  private let event: Report.ObjectTimeline.Event
  private let object: String
  private let backtrace: Report.Backtrace?
  /// Lines of a backtrace in a tooltip, which must fit next to its subject.
  private static let frames = 8

  init(_ event: Report.ObjectTimeline.Event, of timeline: Report.ObjectTimeline, backtrace: Report.Backtrace? = nil) {
    self.event = event
    object = timeline.object.id
    self.backtrace = backtrace
  }

  /// "retain", "final release", "use after free": the kind with its words apart.
  var what: String {
    if event.isFinalRelease { return "final release" }
    if let reference = event.reference { return reference }
    return event.kind.unicodeScalars.prefix(60).reduce(into: "") { words, scalar in
      if ("A"..."Z").contains(scalar), !words.isEmpty { words.append(" ") }
      words += scalar.isASCII ? String(scalar).lowercased() : String(scalar)
    }
  }

  /// "+1", "−1", or nothing.
  var change: String { event.change == 0 ? "" : event.change > 0 ? "+\(event.change)" : "−\(event.change.magnitude)" }

  /// What a tooltip says, line by line.
  var lines: [String] {
    var first = "event \(event.event): \(what) of \(object)"
    if let count = event.count { first += ", count \(count)" }
    var lines = [first]
    if let backtrace {
      lines += BacktraceText(TextStyle(isColored: false)).lines(backtrace, limit: Self.frames)
      lines.append([event.thread, Quantity.duration(event.time)].joined(separator: " · "))
    } else {
      lines.append(event.function)
      lines.append(
        [event.location, event.thread, Quantity.duration(event.time)].compactMap { $0 }.joined(separator: " · "))
    }
    if event.isAfterGap {
      lines.append("Its count does not follow: an earlier event was not seen or is out of order.")
    }
    return lines
  }
}
