/// What `lifeline check` judged the run by: its contracts, its baseline, its suppressions.
struct GateSection {
  let report: Report

  var markup: Markup {
    guard let gate = report.gate else { return "" }
    let parts = [
      contracts(gate.contracts), list("Fixed since the baseline", gate.fixed),
      list("Suppressions that matched nothing", gate.unusedSuppressions),
    ].filter { !$0.html.isEmpty }
    let policy =
      gate.failOn.isEmpty
      ? "No finding fails this gate." : "These fail the gate: \(gate.failOn.prefix(40).joined(separator: ", "))."
    return """
      <section id="gate" aria-labelledby="gate-title"><h2 id="gate-title">The gate</h2>
      <p class="quiet">\(policy)</p>
      \(parts.joined())</section>

      """
  }

  private func contracts(_ contracts: [Report.Contract]) -> Markup {
    guard !contracts.isEmpty else { return "" }
    let rows = contracts.prefix(HTMLFormat.Limits.contracts).map { contract -> Markup in
      let tone: Markup = contract.result == "broken" ? " class=\"fault\"" : ""
      return """
        <tr\(tone)><td>\(contract.result)</td><th scope="row"><code>\(Markup.name(contract.text))</code></th>\
        <td>\(contract.sentence, limit: 600)</td></tr>

        """
    }
    let rest = contracts.count - rows.count
    let more: Markup =
      rest > 0 ? "<p class=\"left-out\">\(Quantity.count(rest, "contract")) more, left out here.</p>\n" : ""
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Contracts"><table class="contracts">
      <thead><tr><th scope="col">result</th><th scope="col">contract</th><th scope="col">what was seen</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div>
      \(more)
      """
  }

  private func list(_ title: Markup, _ entries: [String]) -> Markup {
    guard !entries.isEmpty else { return "" }
    let items = entries.prefix(HTMLFormat.Limits.contracts).map { "<li><code>\($0)</code></li>\n" as Markup }
    let rest = entries.count - items.count
    let more: Markup = rest > 0 ? "<li class=\"quiet\">\(Quantity.number(rest)) more</li>\n" : ""
    return "<h3>\(title)</h3>\n<ul class=\"remarks\">\(items.joined())\(more)</ul>\n"
  }
}
