/// The table of `--per-test`.
struct TestsSection {
  /// Nil without that option.
  let tests: [Report.Test]?

  private static let limit = 2000

  var markup: Markup {
    guard let tests else { return "" }
    let heading: Markup = "<section id=\"tests\" aria-labelledby=\"tests-title\"><h2 id=\"tests-title\">Tests</h2>\n"
    guard !tests.isEmpty else { return "\(heading)<p class=\"quiet\">No test allocated an object.</p>\n</section>\n" }
    let isCounted = tests.allSatisfy { $0.retains != nil }
    let names =
      ["objects", "bytes", "peak bytes", "live at exit"] + (isCounted ? ["retains"] : []) + ["findings"]
    let heads = names.map { "<th scope=\"col\" class=\"n\">\($0)</th>" as Markup }.joined()
    let rest = tests.count - Self.limit
    let more: Markup =
      rest > 0
      ? """
      <p class="left-out">\(Quantity.number(rest)) more. <code>lifeline report --format json</code> lists all.</p>

      """ : ""
    return """
      \(heading)<div class="scroll" tabindex="0" role="region" aria-labelledby="tests-title">\
      <table class="sortable" data-noun="tests">
      <thead><tr><th scope="col">test</th>\(heads)</tr></thead>
      <tbody>\(tests.prefix(Self.limit).map { row($0, isCounted: isCounted) }.joined())</tbody></table></div>
      \(more)</section>

      """
  }

  private func row(_ test: Report.Test, isCounted: Bool) -> Markup {
    func cell(_ value: Int, _ text: String) -> Markup { "<td class=\"n\" data-value=\"\(value)\">\(text)</td>" }
    func cell(_ value: Int) -> Markup { cell(value, Quantity.number(value)) }
    let retains: Markup = isCounted ? cell(test.retains ?? 0) : ""
    return """
      <tr><th scope="row"><code>\(Markup.name(test.name))</code></th>\(cell(test.objects))\
      \(cell(test.bytes, Quantity.bytes(max(0, test.bytes))))\
      \(cell(test.peakBytes, Quantity.bytes(max(0, test.peakBytes))))\(cell(test.liveAtExit))\(retains)\
      \(cell(test.findings))</tr>

      """
  }
}
