/// Who held an object, from when to when.
struct HoldTable {
  let holds: [Report.Hold]
  let label: String

  var markup: Markup {
    let rows = holds.prefix(HTMLFormat.Limits.holds).map { hold -> Markup in
      let kind: Markup = hold.isTransient ? "transient" : hold.sort == "call" ? "call" : "owner"
      let rule: Markup = hold.rule.isEmpty ? "" : " <span class=\"place\">rule \(hold.rule)</span>"
      let end: Markup = hold.isOpen ? "<span class=\"quiet\">never</span>" : "\(hold.toEvent)"
      let taken = place(hold.function, hold.location)
      let given = hold.isOpen ? "" : place(hold.endFunction, hold.endLocation)
      return """
        <tr><th scope="row"><code>\(Markup.name(hold.holder))</code>\(rule)</th>\
        <td><span class="tag \(kind)">\(kind)</span></td><td class="n">\(hold.fromEvent)</td><td class="n">\(end)</td>\
        <td class="n">\(Quantity.known(hold.duration) ?? "")</td><td>\(taken)</td>\
        <td>\(given)</td><td>\(hold.pairing ?? hold.confidence)</td></tr>

        """
    }
    let rest = holds.count - rows.count
    let more: Markup = rest > 0 ? "<p class=\"quiet\">\(Quantity.count(rest, "hold")) more, left out here.</p>" : ""
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(label)"><table class="holds">
      <thead><tr><th scope="col">holder</th><th scope="col">kind</th><th scope="col" class="n">from</th>\
      <th scope="col" class="n">until</th><th scope="col" class="n">for</th><th scope="col">retained at</th>\
      <th scope="col">released at</th><th scope="col">pairing</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div>\(more)

      """
  }

  private func place(_ function: String?, _ location: String?) -> Markup {
    "<code>\(Markup.name(function ?? ""))</code> <span class=\"place\">\(location ?? "")</span>"
  }
}
