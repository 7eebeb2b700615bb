import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite("HTML of hostile reports", .timeLimit(.minutes(60)))
struct HostileReportTests {
  /// A report may have only the elements and attributes that the sample has.
  private static let ours = TagList(HTMLFormat(showsSource: true, command: ["lifeline"]).render(StoryReport.report))

  @Test("The page of the sample report parses strictly")
  func sample() {
    #expect(Self.ours.problems == [])
    #expect(Self.ours.attributes.allSatisfy { !$0.hasPrefix("on") && $0 != "style" && $0 != "src" })
  }

  @Test("Text never becomes markup, in any field", arguments: HostileReport.texts)
  func texts(text: String) throws {
    for report in [try HostileReport.replacingTexts { _ in text }, try HostileReport.replacingNames { _ in text }] {
      let html = HTMLFormat(showsSource: true, command: [text]).render(report)
      let tags = TagList(html)
      #expect(tags.problems == [])
      #expect(tags.names.subtracting(Self.ours.names) == [])
      #expect(tags.attributes.subtracting(Self.ours.attributes).subtracting(["hidden"]) == [])
    }
  }

  @Test("No control or bidirectional character reaches the page")
  func hiddenCharacters() throws {
    let all = HostileReport.texts.joined()
    let html = HTMLFormat(showsSource: true).render(try HostileReport.replacingNames { _ in all })
    let hidden = html.unicodeScalars.filter { scalar in
      (scalar.value < 0x20 && scalar != "\n") || (0x7F...0x9F).contains(scalar.value)
        || [0x202E, 0x2066, 0x200F, 0x2028].contains(scalar.value)
    }
    #expect(hidden.isEmpty)
    #expect(html.contains("⟨U+001B⟩[31mred"))
    #expect(html.contains("⟨U+202E⟩gnp.exe"))
  }

  @Test("Huge names in every field are shortened with their size, and the page stays small")
  func hugeNames() throws {
    let name = String(repeating: "Generic<", count: 8192)
    let html = HTMLFormat(showsSource: true).render(try HostileReport.replacingNames { "\($0)\(name)" })
    #expect(html.utf8.count < 1_500_000)
    #expect(html.contains("(65.5 kB in all)"))
    #expect(TagList(html).problems == [])
  }

  @Test("Names of a megabyte are shortened with their size, and the page stays small")
  func megabyteNames() {
    let name = String(repeating: "Generic<", count: 131_072)
    var report = StoryReport.report
    report.program.path = name
    report.classes[0].name = name
    report.findings[0].title = name
    report.findings[0].explanation = [name, "event " + name]
    report.findings[0].object.id = name
    report.findings[0].backtraces[0].frames[0].function = name
    report.timelines[0].object.id = name
    report.timelines[0].holds[0].holder = name
    report.timelines[0].events[0].function = name
    report.recording.remarks = [name]
    let html = HTMLFormat().render(report)
    #expect(html.utf8.count < 500_000)
    #expect(html.contains("(1 MB in all)"))
    #expect(TagList(html).problems == [])
  }

  @Test("A report with numbers at the limits of their range is rendered", arguments: [0, 1, Int.max, 1 << 53])
  func numbers(number: Int) throws {
    let html = HTMLFormat(showsSource: true).render(try HostileReport.replacingNumbers(number))
    #expect(TagList(html).problems == [])
  }

  @Test("A report with negative counts is rendered")
  func negativeNumbers() {
    var report = StoryReport.report
    for index in report.classes.indices {
      report.classes[index].allocated = .min
      report.classes[index].liveOverTime = [.min, .max, -1]
    }
    report.liveAtExit[0].bytes = .min
    report.recording.threads = .min
    for index in report.timelines.indices {
      report.timelines[index].omittedEvents = .min
      for event in report.timelines[index].events.indices {
        report.timelines[index].events[event].change = event % 2 == 0 ? .min : .max
        report.timelines[index].events[event].count = event % 3 == 0 ? .min : nil
        report.timelines[index].events[event].time = .max
      }
      for hold in report.timelines[index].holds.indices {
        report.timelines[index].holds[hold].fromEvent = 50
        report.timelines[index].holds[hold].toEvent = 1
        report.timelines[index].holds[hold].fromTime = .max
      }
    }
    #expect(TagList(HTMLFormat().render(report)).problems == [])
  }

  @Test("The page of a huge report stays below 5 MB and says what it omits")
  func hugeReport() throws {
    let html = HTMLFormat(showsSource: true).render(HugeReport.report)
    #expect(html.utf8.count < 5_000_000)
    #expect(html.utf8.count > 2_000_000, "the limits leave room for most of a large report")
    #expect(html.contains("findings more, left out to keep the page small"))
    #expect(html.contains("The lifeline is left out to keep the page small"))
    #expect(html.contains("groups more, left out to keep the page small"))
    #expect(TagList(html).problems == [])
  }

  @Test("Hostile texts neither run nor change the page in a browser", .needs(.chromium))
  func browser() throws {
    let report = try HostileReport.replacingNames { HostileReport.texts[$0 % HostileReport.texts.count] }
    let (page, console) = try Browser.open(HTMLFormat(showsSource: true).render(report))
    #expect(console == "")
    #expect(page.contains("data-script=\"ready\""))
    #expect(!page.contains("<h1>taken"))
    #expect(!page.contains("<title>taken"))
  }

  @Test("A huge report opens in Chromium, and its script runs", .needs(.chromium))
  func hugeInBrowser() throws {
    let (page, console) = try Browser.open(HTMLFormat(showsSource: false).render(HugeReport.report))
    #expect(page.contains("data-script=\"ready\""))
    #expect(console == "")
  }
}
