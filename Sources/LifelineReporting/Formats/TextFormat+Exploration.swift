extension TextFormat {
  /// What `lifeline explore` tried, and the schedule that shows what it found.
  func exploration(_ report: Report) -> [String] {
    guard let exploration = report.exploration else { return [] }
    let wording = ExplorationWording(exploration: exploration)
    var lines = ["", style.bold("Exploration")] + wording.summary.map { "  \($0.safe)" }
    let schedule = wording.schedule
    if !schedule.isEmpty { lines += ["", style.bold("The schedule")] + schedule.map { "  \($0.safe)" } }
    return lines
  }
}
