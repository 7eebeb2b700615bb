@testable import LifelineReporting

/// Thousands of everything: far more than a page can hold.
enum HugeReport {
  static let report: Report = {
    var report = StoryReport.report
    var life = StoryReport.detailLife
    life.events = (1...3000).map { number in
      StoryReport.event(
        number, number % 2 == 0 ? "retain" : "release", number % 2 == 0 ? 1 : -1, 5,
        "Module.Type<Argument>.function(label:)", 7)
    }
    life.holds = (1...500).map {
      StoryReport.hold("Holder\($0)", $0, $0 + 40, "Module.Type<Argument>.function(label:)", 7)
    }
    report.timelines = (1...6).map { number in
      var copy = life
      copy.object.id = "DetailViewController#\(number)"
      return copy
    }
    report.findings = (1...2000).map { number in
      var finding = StoryReport.finding
      finding.fingerprint = String(number, radix: 16)
      finding.object.id = "DetailViewController#\(number % 6 + 1)"
      return finding
    }
    report.classes = (1...20_000).map { number in
      var entry = StoryReport.report.classes[1]
      entry.name = "Module.Class\(number)"
      return entry
    }
    report.liveAtExit = (1...5000).map { number in
      var group = StoryReport.report.liveAtExit[0]
      group.first = "Row#\(number)"
      return group
    }
    report.lives = (1...20_000).map { number in
      var life = StoryReport.report.lives[2]
      life.id = "Row#\(number)"
      return life
    }
    report.recording.remarks = (1...5000).map { "Image \($0) has no debug information." }
    return report
  }()
}
