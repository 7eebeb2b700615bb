/// The tables of a profile's page.
struct ProfileTables {
  let report: ProfileReport
  private static let rows = 300
  private static let bytes = 300_000
  private static let numbers = ["retains", "releases", "allocations", "bytes", "live", "avoidable", "estimate"]

  var markup: Markup {
    [
      section("classes", "Classes", report.classes, report.omitted.classes, heads: ["class"] + Self.numbers) { entry in
        "<th scope=\"row\"><code>\(Markup.name(entry.name))</code></th>\(cells(entry.cost))"
      },
      section(
        "functions", "Functions", report.functions, report.omitted.functions,
        heads: ["function", "image"] + Self.numbers + ["with callees"]
      ) { entry in
        """
        <th scope="row"><code>\(entry.function)</code></th>\
        <td>\(entry.image)</td>\(cells(entry.exclusive))\(estimate(entry.inclusive.nanoseconds))
        """
      },
      section(
        "lines", "Lines", report.lines, report.omitted.lines,
        heads: ["line", "function"] + Self.numbers + ["with callees"]
      ) { entry in
        """
        <th scope="row"><code>\(Self.place(entry.file, entry.line))</code></th><td><code>\(entry.function)</code></td>\
        \(cells(entry.exclusive))\(estimate(entry.inclusive.nanoseconds))
        """
      },
      section(
        "avoidable", "Avoidable pairs of retain and release", report.avoidable, report.omitted.avoidable,
        heads: ["class", "line", "function", "pairs", "estimate"]
      ) { entry in
        """
        <th scope="row"><code>\(Markup.name(entry.class))</code></th>\
        <td><code>\(entry.file.map { Self.place($0, entry.line ?? 0) } ?? "")</code></td>\
        <td><code>\(entry.function)</code></td>\
        <td class="n" data-value="\(entry.count)">\(Quantity.number(entry.count))</td>\(estimate(entry.nanoseconds))
        """
      },
    ].joined()
  }

  private func section<Entry>(
    _ id: Markup, _ title: Markup, _ entries: [Entry], _ omitted: Int, heads: [String], row: (Entry) -> Markup
  ) -> Markup {
    guard !entries.isEmpty else { return "" }
    let rows = BoundedRows(entries, count: Self.rows, bytes: Self.bytes) { "<tr>\(row($0))</tr>\n" as Markup }
    let rest = entries.count - rows.shown + omitted
    let more: Markup =
      rest > 0
      ? """
      <p class="left-out">\(Quantity.number(rest)) more; <code>lifeline profile --format json</code> has them.</p>

      """
      : ""
    let head = heads.map { head -> Markup in
      Self.numbers.contains(head) || head == "with callees" || head == "pairs"
        ? "<th scope=\"col\" class=\"n\">\(head)</th>" : "<th scope=\"col\">\(head)</th>"
    }.joined()
    return """
      <section id="\(id)" aria-labelledby="\(id)-title"><h2 id="\(id)-title">\(title)</h2>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="\(id)-title">\
      <table class="sortable" data-noun="\(id)">
      <thead><tr>\(head)</tr></thead>
      <tbody>\(rows.markup)</tbody></table></div>
      \(more)</section>

      """
  }

  private func cells(_ cost: ProfileReport.Cost) -> Markup {
    func cell(_ value: Int, _ text: String) -> Markup { "<td class=\"n\" data-value=\"\(value)\">\(text)</td>" }
    let counts: [Markup] = [
      cell(cost.retains, Quantity.number(cost.retains)), cell(cost.releases, Quantity.number(cost.releases)),
      cell(cost.allocations, Quantity.number(cost.allocations)), cell(cost.bytes, Quantity.bytes(max(0, cost.bytes))),
      cell(cost.live, Quantity.number(cost.live)), cell(cost.avoidable, Quantity.number(cost.avoidable)),
      estimate(cost.nanoseconds),
    ]
    return counts.joined()
  }

  private func estimate(_ nanoseconds: Int) -> Markup {
    "<td class=\"n\" data-value=\"\(nanoseconds)\">\(Quantity.duration(UInt64(max(0, nanoseconds))))</td>"
  }

  private static func place(_ file: String, _ line: Int) -> String {
    "\(file.split(separator: "/").last ?? ""):\(line)"
  }
}
