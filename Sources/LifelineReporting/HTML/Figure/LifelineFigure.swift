/// The lifeline view: the lives of some objects over the same events, as SVG that needs no script.
///
/// Horizontally everything is a percentage, so text keeps its size at any width, and zooming only changes percentages.
struct LifelineFigure {
  let timelines: [Report.ObjectTimeline]
  /// The finding of the figure; nil for lives without a finding.
  let finding: Report.Finding?
  /// Prefix of the identifiers of the rows that sentences link to.
  let anchor: String
  private(set) var markup: Markup = ""

  private static let axisHeight = 34

  /// At most `events` events, shared equally by the lifetimes.
  init(
    _ timelines: [Report.ObjectTimeline], finding: Report.Finding?, anchor: String,
    events: Int = HTMLFormat.Limits.figureEvents
  ) {
    let drawn = timelines.prefix(HTMLFormat.Limits.timelines)
    self.timelines = drawn.map { $0.shortened(max(12, events / max(1, drawn.count))) }
    self.finding = finding
    self.anchor = anchor
    markup = drawing
  }

  private var drawing: Markup {
    guard !timelines.isEmpty else { return "" }
    let scale = FigureScale(timelines: timelines, others: finding?.backtraces.map(\.event) ?? [])
    var bands: [ObjectBand] = []
    var y = Self.axisHeight
    for timeline in timelines {
      bands.append(ObjectBand(timeline, scale, top: y, finding: finding))
      y += bands.last?.height ?? 0
    }
    let window = finding.flatMap(FindingWindow.init)
    let shape = window.map { window -> Markup in
      """
      <rect class="window" \(scale.span(scale.position(window.from), scale.position(window.to))) y="0" height="\(y)"/>

      """
    }
    let label =
      "Lives of " + zip(timelines, bands).map { "\($0.object.id), \($1.life.summary)" }.joined(separator: "; ")
    let span = window.map { "\(scale.position($0.from)) \(scale.position($0.to))" } ?? ""
    let tables = timelines.indices.map { TimelineTables(timeline: timelines[$0], anchor: "\(anchor)-\($0)").markup }
    return """
      <figure class="lifeline" id="\(anchor)-lifeline" data-window="\(span)">
      <figcaption><h4>Lifeline</h4><p>\(caption)</p></figcaption>
      <svg class="plot" role="img" aria-label="\(label, limit: 600)" width="100%" height="\(y)" \
      data-axis="\(Self.axisHeight)" data-events="\(Self.list(scale.events))" data-times="\(Self.list(scale.times))">
      <g class="axis">\(axis(scale))</g>
      \(shape ?? "")\(bands.map(\.markup).joined())\(arrow(bands, scale))</svg>
      \(FigureLegend.markup)
      \(tables.joined())</figure>

      """
  }

  private var caption: Markup {
    let omitted = timelines.reduce(0) { $0 + $1.omittedEvents }
    let rest: Markup = omitted == 0 ? "" : " \(Quantity.count(omitted, "event")) in the middle of histories left out."
    return "Time runs from left to right, one step for each event; times count from the first one.\(rest)"
  }

  private static func list(_ numbers: [UInt64]) -> Markup { numbers.map { "\($0)" as Markup }.joined(" ") }

  /// The identifier of the element that shows an event: its row, or the figure for an event in which only a hold began
  /// or ended.
  func target(of event: UInt64) -> String? {
    if let index = timelines.firstIndex(where: { $0.events.contains { $0.event == event } }) {
      return "\(anchor)-\(index)-e\(event)"
    }
    let isHold = timelines.contains {
      $0.holds.contains { $0.fromEvent == event || (!$0.isOpen && $0.toEvent == event) }
    }
    return isHold ? "\(anchor)-lifeline" : nil
  }

  /// Event numbers and times along the upper edge, at most six.
  private func axis(_ scale: FigureScale) -> Markup {
    let count = min(6, scale.events.count)
    return (0..<count).map { step -> Markup in
      let index = count == 1 ? 0 : step * (scale.events.count - 1) / (count - 1)
      let position = 2 * index + 1
      let percent = scale.percent(position)
      let side: Markup = step == 0 ? "start" : step == count - 1 ? "end" : "middle"
      return """
        <text class="\(side)" x="\(percent)" y="13">\(scale.events[index])</text>\
        <text class="time \(side)" x="\(percent)" y="27">\(scale.time(index))</text>

        """
    }.joined()
  }

  /// The message of the finding, from its sender to the dead object.
  private func arrow(_ bands: [ObjectBand], _ scale: FigureScale) -> Markup {
    guard let finding, let access = finding.backtraces.first(where: { $0.role == "access" }),
      let target = bands.first(where: { $0.timeline.object.id == finding.object.id }),
      let sender = bands.first(where: { $0.timeline.role == "sender" && $0.timeline.object.id != finding.object.id })
    else { return "" }
    let isUpwards = sender.top > target.top
    let from = isUpwards ? sender.edges.upper : sender.edges.lower
    let to = isUpwards ? target.edges.lower + 3 : target.edges.upper - 3
    let place = scale.vertical(scale.position(access.event))
    return "<line class=\"message\" marker-end=\"url(#mark-arrow)\" \(place) y1=\"\(from)\" y2=\"\(to)\"/>\n"
  }
}

extension Report.ObjectTimeline {
  /// The life with at most `limit` events: the first third and the end are kept, and every fault.
  fileprivate func shortened(_ limit: Int) -> Report.ObjectTimeline {
    var result = self
    // The number comes from the report, so it can be anything.
    result.omittedEvents = min(max(0, omittedEvents), 1 << 50)
    guard events.count > limit else { return result }
    let faults = events.dropFirst(limit / 3).dropLast(limit - limit / 3).filter { TimelineGeometry.isFault($0.kind) }
      .prefix(limit / 4)
    result.events = Array(events.prefix(limit / 3)) + faults + events.suffix(limit - limit / 3 - faults.count)
    result.omittedEvents += events.count - result.events.count
    return result
  }
}
