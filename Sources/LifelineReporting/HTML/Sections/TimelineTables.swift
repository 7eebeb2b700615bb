/// The same life in words, for users who cannot see the figure, or want the numbers.
struct TimelineTables {
  let timeline: Report.ObjectTimeline
  /// Begins the identifiers of the rows.
  let anchor: String

  var markup: Markup { "\(holders)\(events)" }

  private var events: Markup {
    var seen: Set<UInt64> = []
    let rows = timeline.events.map { event -> Markup in
      let text = EventText(event, of: timeline)
      let id: Markup = seen.insert(event.event).inserted ? " id=\"\(anchor)-e\(event.event)\"" : ""
      let fault: Markup = TimelineGeometry.isFault(event.kind) ? " class=\"fault\"" : ""
      return """
        <tr\(id)\(fault) data-event="\(event.event)"><th scope="row">\(event.event)</th><td>\(text.what)</td>\
        <td class="n">\(text.change)</td><td class="n">\(event.count.map(String.init) ?? "")</td>\
        <td class="n">\(Quantity.duration(event.time))</td><td>\(event.thread)</td>\
        <td><code>\(Markup.name(event.function))</code> <span class="place">\(event.location ?? "")</span></td></tr>

        """
    }
    let omitted = timeline.omittedEvents > 0 ? ", \(Quantity.number(timeline.omittedEvents)) left out" : ""
    return """
      <details class="table"><summary>Events of <code>\(timeline.object.id)</code> \
      (\(Quantity.number(timeline.events.count))\(omitted))</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="Events of \(timeline.object.id)"><table class="events">
      <thead><tr><th scope="col">event</th><th scope="col">what</th><th scope="col" class="n">change</th>\
      <th scope="col" class="n">count</th><th scope="col" class="n">time</th><th scope="col">thread</th>\
      <th scope="col">responsible</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div></details>

      """
  }

  private var holders: Markup {
    guard !timeline.holds.isEmpty else { return "" }
    return """
      <details class="table"><summary>Holders of <code>\(timeline.object.id)</code> \
      (\(Quantity.number(timeline.holds.count)))</summary>
      \(HoldTable(holds: timeline.holds, label: "Holders of \(timeline.object.id)").markup)</details>

      """
  }
}
