/// Distributes the bytes available for all figures among the findings: many findings get small figures, and when no
/// more fit, the rest get none.
struct FigureBudget {
  private var bytes = HTMLFormat.Limits.figureBytes
  private let events: Int
  private var isSpent = false
  /// The size of an event with names of ordinary length in a figure and its table.
  private static let bytesOfEvent = 700

  init(findings: Int) {
    let share = HTMLFormat.Limits.figureBytes / max(1, findings) / Self.bytesOfEvent
    events = min(max(share, HTMLFormat.Limits.fewestEvents), HTMLFormat.Limits.figureEvents)
  }

  /// The figure of some lives, or nil if there is nothing to draw or no room.
  mutating func figure(_ timelines: [Report.ObjectTimeline], finding: Report.Finding, anchor: String) -> LifelineFigure?
  {
    guard !timelines.isEmpty, !isSpent else { return nil }
    let figure = LifelineFigure(timelines, finding: finding, anchor: anchor, events: events)
    guard figure.markup.size <= bytes else {
      isSpent = true
      return nil
    }
    bytes -= figure.markup.size
    return figure
  }
}
