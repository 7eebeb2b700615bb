/// The lanes of one object's holders: a lane for each holder, a bar for each hold.
struct HoldLanes {
  private let selection: HoldSelection
  private let scale: FigureScale
  private let top: Int
  private static let laneHeight = 30

  init(_ selection: HoldSelection, _ scale: FigureScale, top: Int) {
    self.selection = selection
    self.scale = scale
    self.top = top
  }

  private var lanes: [HoldSelection.Lane] { selection.lanes }
  var height: Int { lanes.count * Self.laneHeight + (selection.omitted > 0 ? 20 : 0) }

  var markup: Markup {
    var markup = brackets
    for (number, lane) in lanes.enumerated() {
      let y = top + number * Self.laneHeight
      markup += """
        <line class="divider" x1="0" x2="100%" y1="\(y)" y2="\(y)"/>
        <text class="lane" x="4" y="\(y + 12)">\(lane.name, limit: 90)</text>

        """
      markup += lane.holds.map { bar($0, y: y + 16) }.joined()
    }
    if selection.omitted > 0 {
      markup +=
        """
        <text class="lane" x="4" y="\(top + lanes.count * Self.laneHeight + 14)">\
        \(Quantity.count(selection.omitted, "hold")) more, not drawn</text>

        """
    }
    return markup
  }

  /// The time of a framework's activity, as a bracket over all lanes.
  private var brackets: Markup {
    guard !lanes.isEmpty else { return "" }
    return lanes.filter(\.isTransient).flatMap(\.holds).prefix(4).map { hold in
      """
      <rect class="activity" \(span(hold)) y="\(top)" height="\(lanes.count * Self.laneHeight)"/>\
      <rect class="bracket" \(span(hold)) y="\(top)" height="2"/>

      """
    }.joined()
  }

  private func span(_ hold: Report.Hold) -> Markup {
    scale.span(scale.position(hold.fromEvent), hold.isOpen ? scale.end : scale.position(hold.toEvent))
  }

  private func bar(_ hold: Report.Hold, y: Int) -> Markup {
    let kind: Markup = hold.isTransient ? "transient" : "owner"
    let open: Markup = hold.isOpen ? " open" : ""
    let until =
      hold.isOpen
      ? "never balanced"
      : "until event \(hold.toEvent)" + (Quantity.known(hold.duration).map { ", \($0)" } ?? "")
    let lines = [
      HoldSelection.name(hold), "from event \(hold.fromEvent) \(until)",
      [hold.function, hold.location].compactMap { $0 }.joined(separator: " · "),
    ]
    return """
      <rect class="tip hold \(kind)\(open)" data-holder="\(HoldSelection.name(hold), limit: 120)" \
      data-from="\(hold.fromEvent)" \(span(hold)) y="\(y)" height="9" rx="2">\
      <title>\(lines.map { "\($0)" as Markup }.joined("\n"))</title></rect>

      """
  }
}
