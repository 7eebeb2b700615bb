import Foundation
import LifelineLifetimes

/// Renders a profile as one self-contained HTML file: a flame graph, and tables of the highest costs.
///
/// As in a report, its Content-Security-Policy admits one style sheet and one script by their hashes, and every text of
/// the program is escaped. Without the script the tables show everything.
public struct FlameGraphFormat {
  public init() {}

  /// The page; with `former` it shows how the profile differs from that earlier one.
  public func render(
    _ report: ProfileReport, _ profile: CallProfile, former: (program: String, profile: CallProfile)? = nil
  ) -> String {
    let data = FlameData(profile, former: former?.profile)
    let program = Self.name(report.program)
    let against: Markup =
      former.map { "<p class=\"quiet\">compared with \(Self.name($0.program)), the earlier trace</p>" as Markup } ?? ""
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
      <title>\(program): profile · Lifeline</title>
      <style>\(Markup(trusted: FlameStyle.page))</style>
      </head>
      <body>
      <a class="skip" href="#main">To the flame graph</a>
      <header class="masthead" id="top"><p class="product">Lifeline profile</p>
      <div class="run"><h1>\(program)</h1>\(against)</div>
      <dl class="facts">\(facts(report))</dl></header>
      <main id="main" tabindex="-1">
      \(graph(data, isDifference: former != nil))\(ProfileTables(report: report).markup)</main>
      <footer><p>Made by <code>lifeline profile</code>. Estimates: \
      \(Self.price(report.prices.reference)) ns per retain or release, \
      \(Self.price(report.prices.allocation)) ns per object. This page loads nothing from elsewhere.</p></footer>
      <script type="application/json" id="profile">\(data.json)</script>
      <script>\(Markup(trusted: FlameScript.page))</script>
      </body>
      </html>

      """
    return page.html
  }

  private static func name(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private static func price(_ nanoseconds: Double) -> String {
    nanoseconds == nanoseconds.rounded() ? String(Int(nanoseconds)) : String(nanoseconds)
  }

  private func facts(_ report: ProfileReport) -> Markup {
    let total = report.total
    let rows: [(Markup, String)] = [
      ("Retains", Quantity.number(total.retains)), ("Releases", Quantity.number(total.releases)),
      ("Avoidable pairs", Quantity.number(total.avoidable)),
      ("Allocations", Quantity.number(total.allocations)), ("Allocated", Quantity.bytes(max(0, total.bytes))),
      ("Live at the end", Quantity.number(total.live)),
      ("Estimate", Quantity.duration(UInt64(max(0, total.nanoseconds)))),
    ]
    return rows.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" as Markup }.joined()
  }

  private func graph(_ data: FlameData, isDifference: Bool) -> Markup {
    if data.isEmpty { return "<p class=\"left-out\">Nothing was counted.</p>\n" }
    let omitted: Markup =
      data.omitted > 0
      ? """
      <p class="left-out">\(Quantity.number(data.omitted)) smaller calls are not drawn. \
      <code>lifeline export --format speedscope</code> has them all.</p>

      """
      : ""
    let legend: Markup =
      isDifference
      ? """
      <p class="legend"><span class="swatch more"></span> more than in the earlier trace \
      <span class="swatch less"></span> less</p>

      """
      : """
      <p class="legend"><span class="swatch own"></span> the program's own code <span class="swatch system"></span> \
      libraries</p>

      """
    return """
      <section id="flame" aria-labelledby="flame-title"><h2 id="flame-title">Flame graph</h2>
      <noscript><p class="left-out">The flame graph requires JavaScript; the tables below do not.</p></noscript>
      <div class="flame-controls"></div>
      \(legend)<div class="flame" role="tree" tabindex="0" aria-label="Calls, the outermost at the top"></div>
      <output class="flame-detail" aria-live="polite"></output>
      \(omitted)</section>

      """
  }

  private static let policy: Markup = """
    default-src 'none'; style-src 'sha256-\(hash(FlameStyle.page))'; script-src 'sha256-\(hash(FlameScript.page))'; \
    base-uri 'none'; form-action 'none'
    """

  private static func hash(_ text: String) -> String { Data(SHA256(text.utf8).digest).base64EncodedString() }
}
