/// What `lifeline explore` tried, and the schedule that shows what it found, drawn as the threads' lines.
struct ExplorationSection {
  let exploration: Report.Exploration?

  var markup: Markup {
    guard let exploration else { return "" }
    let wording = ExplorationWording(exploration: exploration)
    let summary = wording.summary.map { "<p>\($0)</p>\n" as Markup }.joined()
    let schedule = wording.schedule.map { "<li>\($0)</li>\n" as Markup }.joined()
    let list: Markup =
      exploration.schedule.isEmpty
      ? ""
      : """
      <h3>The schedule</h3>
      <ol>\(schedule)</ol>
      \(ScheduleFigure(holds: exploration.schedule).markup)
      """
    return """
      <section id="exploration" aria-labelledby="exploration-title"><h2 id="exploration-title">Exploration</h2>
      \(summary)\(list)</section>

      """
  }
}
