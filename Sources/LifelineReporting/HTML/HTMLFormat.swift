import Foundation

/// Renders a report as one self-contained HTML file: no network access, and complete without a script.
///
/// Its Content-Security-Policy admits one style sheet and one script, by their hashes; every text of the program is
/// escaped by the type that holds it (`Markup`). The size is bounded (`Limits`), and omissions are noted.
public struct HTMLFormat {
  private let showsSource: Bool
  private let command: [String]
  private let root: SourceRoot

  /// `showsSource` includes the lines around each frame's location, from the files on this machine; `command` is shown
  /// as the one that created the report; `root` shortens the paths in copied Markdown.
  public init(showsSource: Bool = true, command: [String] = [], root: SourceRoot = SourceRoot()) {
    self.showsSource = showsSource
    self.command = command
    self.root = root
  }

  /// The page, UTF-8, less than 5 MB. The same report and source files give the same text.
  public func render(_ report: Report) -> String {
    let masthead = Masthead(report: report)
    let sources =
      showsSource ? SourceFileTable(program: report.program.path, recordedAt: report.recording.startTime) : nil
    let sections: [(id: Markup, title: Markup, body: Markup)] = [
      ("findings", "Findings", FindingsSection(report: report, sources: sources, root: root).markup),
      ("exploration", "Exploration", ExplorationSection(exploration: report.exploration).markup),
      ("gate", "The gate", GateSection(report: report).markup),
      ("processes", "Processes", ProcessesSection(processes: report.processes ?? []).markup),
      ("tests", "Tests", TestsSection(tests: report.tests).markup),
      ("lives", "Other lives", LivesSection(report: report).markup),
      ("late", "Late without consequence", LateSection(late: report.late ?? []).markup),
      ("classes", "Classes", ClassesSection(classes: report.classes, live: report.program.live).markup),
      (
        "objects", "Objects",
        ObjectsSection(
          lives: report.lives, recorded: report.classes.reduce(0) { $0 &+ $1.allocated },
          process: { report.process($0)?.name }
        ).markup
      ),
      (
        "live", "\(report.program.liveTitle)",
        LiveSection(
          title: report.program.liveTitle, groups: report.liveAtExit, left: report.liveRest,
          isExamined: report.heap?.isExamined ?? false, process: { report.process($0)?.name }
        ).markup
      ),
      ("kept", "Who keeps what", KeptSection(heap: report.heap).markup),
      (
        "recording", "Recording",
        report.program.isRecorded ? RecordingSection(report: report, command: command).markup : ""
      ),
    ].filter { !$0.2.html.isEmpty }
    let links = sections.map { "<a href=\"#\($0.id)\">\($0.title)</a>" as Markup }.joined()
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <meta name="generator" content="lifeline">
      <title>\(masthead.title)</title>
      <style>\(Markup(trusted: PageStyle.text))</style>
      </head>
      <body>
      <a class="skip" href="#main">To the findings</a>
      \(FigureLegend.definitions)\(masthead.markup)<nav class="sections" aria-label="Sections">\(links)</nav>
      <main id="main" tabindex="-1">
      \(sections.map(\.body).joined())</main>
      <footer><p>Made by <code>lifeline report</code>. This page loads nothing from elsewhere.</p></footer>
      <script>\(Markup(trusted: PageScript.text))</script>
      </body>
      </html>

      """
    return page.html
  }

  private static let policy: Markup = """
    default-src 'none'; style-src 'sha256-\(hash(PageStyle.text))'; script-src 'sha256-\(hash(PageScript.text))'; \
    base-uri 'none'; form-action 'none'
    """

  private static func hash(_ text: String) -> String { Data(SHA256(text.utf8).digest).base64EncodedString() }
}
