/// One object in a figure: its life with the reference count, its events as ticks, and its holders below.
struct ObjectBand {
  let timeline: Report.ObjectTimeline
  let scale: FigureScale
  let life: TimelineGeometry
  let top: Int
  /// The finding's facts about some of the events.
  private let backtraces: [UInt64: Report.Backtrace]
  /// The lane of each holder, and those without room.
  private let lanes: HoldLanes

  private static let bodyTop = 34
  private static let bodyHeight = 26
  private static let lanesTop = 74

  init(_ timeline: Report.ObjectTimeline, _ scale: FigureScale, top: Int, finding: Report.Finding?) {
    self.timeline = timeline
    let known = finding?.backtraces ?? []
    backtraces = Dictionary(known.map { ($0.event, $0) }, uniquingKeysWith: { first, _ in first })
    self.scale = scale
    self.top = top
    life = TimelineGeometry(timeline, scale, letGo: known.filter { $0.role == "last-owner-release" }.map(\.event))
    lanes = HoldLanes(HoldSelection(timeline.holds), scale, top: top + Self.lanesTop)
  }

  private var references: [Report.ObjectTimeline.Event] {
    timeline.events.filter {
      ($0.kind.hasPrefix("weak") || $0.kind.hasPrefix("unowned")) && !TimelineGeometry.isFault($0.kind)
        && $0.change == 0
    }
  }
  private var referencesTop: Int { top + Self.lanesTop + lanes.height }
  var height: Int { Self.lanesTop + lanes.height + (references.isEmpty ? 0 : 30) + 10 }
  /// Where an arrow to or from the object begins: the upper and the lower edge of its life.
  var edges: (upper: Int, lower: Int) { (top + Self.bodyTop, top + Self.bodyTop + Self.bodyHeight) }

  var markup: Markup {
    """
    <g class="object" data-name="\(timeline.object.id)" data-born="\(life.born)" \
    data-final="\(life.finalRelease ?? -1)" data-freed="\(life.freed ?? -1)">
    <text class="name" x="4" y="\(top + 19)">\(timeline.object.id, limit: 60)\
    <tspan class="role" dx="8">\(timeline.role, limit: 20), \(life.summary)</tspan></text>
    \(phases)\(counts)\(ticks)\(nearMiss)\(lanes.markup)\(weakRow)</g>

    """
  }

  private var phases: Markup {
    let y = top + Self.bodyTop
    let alive = life.finalRelease ?? life.freed ?? life.end
    var markup: Markup =
      "<rect class=\"alive\" \(scale.span(life.born, alive)) y=\"\(y)\" height=\"\(Self.bodyHeight)\"/>\n"
    if let late = life.late {
      markup += "<rect class=\"late\" \(scale.span(late, alive)) y=\"\(y)\" height=\"\(Self.bodyHeight)\"/>\n"
    }
    if let final = life.finalRelease, let freed = life.freed, final < freed {
      markup += "<rect class=\"dying\" \(scale.span(final, freed)) y=\"\(y)\" height=\"\(Self.bodyHeight)\"/>\n"
    }
    if let freed = life.freed {
      markup += "<rect class=\"dead\" \(scale.span(freed, life.end)) y=\"\(y)\" height=\"\(Self.bodyHeight)\"/>\n"
    }
    return markup
  }

  /// The strong count as steps that rise from the lower edge, the highest filling the band.
  private var counts: Markup {
    var steps: [(position: Int, count: Int)] = []
    for event in timeline.events where event.change != 0 || event.kind == "allocate" {
      let before = steps.last?.count ?? 0
      let count = event.count ?? before.addingReportingOverflow(event.change).partialValue
      steps.append((scale.position(event.event), min(max(0, event.isFinalRelease ? 0 : count), 1_000_000)))
    }
    let highest = steps.map(\.count).max() ?? 0
    guard highest > 0 else { return "" }
    let last = life.finalRelease ?? life.freed ?? life.end
    return steps.indices.compactMap { index -> Markup? in
      let to = index + 1 < steps.count ? steps[index + 1].position : last
      guard steps[index].count > 0, to > steps[index].position else { return nil }
      let height = max(2, steps[index].count * (Self.bodyHeight - 4) / highest)
      let y = top + Self.bodyTop + Self.bodyHeight - height
      return """
        <rect class="count" data-count="\(steps[index].count)" \(scale.span(steps[index].position, to)) y="\(y)" \
        height="\(height)"/>

        """
    }.joined()
  }

  private var ticks: Markup {
    timeline.events.compactMap { event -> Markup? in
      let position = scale.position(event.event)
      let upper = top + Self.bodyTop
      let lower = upper + Self.bodyHeight
      let title = title(event)
      let data: Markup = "data-event=\"\(event.event)\""
      if TimelineGeometry.isFault(event.kind) {
        return """
          <use class="tip fault" href="#mark-fault" \(data) \(scale.point(position)) \
          y="\(upper + Self.bodyHeight / 2)">\(title)</use>

          """
      }
      if event.isFinalRelease {
        return """
          <use class="tip final" href="#mark-final" \(data) \(scale.point(position)) y="\(lower + 5)">\(title)</use>

          """
      }
      if event.kind == "free" || event.kind == "deallocate" {
        return """
          <line class="tip end" \(data) \(scale.vertical(position)) y1="\(upper - 3)" y2="\(lower + 3)">\(title)</line>

          """
      }
      if event.kind == "allocate" {
        return """
          <use class="tip born" href="#mark-born" \(data) \(scale.point(position)) y="\(upper - 5)">\(title)</use>

          """
      }
      if event.change > 0 {
        return """
          <line class="tip retain" \(data) \(scale.vertical(position)) y1="\(upper - 9)" \
          y2="\(upper - 1)">\(title)</line>

          """
      }
      if event.change < 0 {
        return """
          <line class="tip release" \(data) \(scale.vertical(position)) y1="\(lower + 1)" \
          y2="\(lower + 9)">\(title)</line>

          """
      }
      return nil
    }.joined()
  }

  /// The access of a finding that was not a fault, because a transient hold made it valid.
  private var nearMiss: Markup {
    let accesses = timeline.events.filter {
      backtraces[$0.event]?.role == "access" && !TimelineGeometry.isFault($0.kind)
    }
    return accesses.map { event in
      """
      <use class="tip near-miss" href="#mark-fault" data-event="\(event.event)" \
      \(scale.point(scale.position(event.event))) y="\(top + Self.bodyTop + Self.bodyHeight / 2)">\(title(event))</use>

      """
    }.joined()
  }

  private func title(_ event: Report.ObjectTimeline.Event) -> Markup {
    let lines = EventText(event, of: timeline, backtrace: backtraces[event.event]).lines
    return "<title>\(lines.map { "\($0)" as Markup }.joined("\n"))</title>"
  }

  private var weakRow: Markup {
    guard !references.isEmpty else { return "" }
    let marks = references.map { event -> Markup in
      let mark: Markup = event.kind.hasPrefix("weak") ? "#mark-weak" : "#mark-unowned"
      return """
        <use class="tip weak" href="\(mark)" data-event="\(event.event)" \(scale.point(scale.position(event.event))) \
        y="\(referencesTop + 21)">\(title(event))</use>

        """
    }
    return
      "<text class=\"lane\" x=\"4\" y=\"\(referencesTop + 11)\">weak and unowned references</text>\n\(marks.joined())"
  }
}
