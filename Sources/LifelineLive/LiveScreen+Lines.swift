/// The screen as lines: exactly `height` of them, each exactly `width` columns wide.
extension LiveScreen {
  public func lines(width: Int, height: Int) -> [LiveLine] {
    guard width > 0, height > 0 else { return [] }
    var lines: [LiveLine]
    switch page {
    case .classes: lines = head + classes(width: width, height: height - 5)
    case .owner: lines = head + owner(width: width, height: height - 5)
    case .history: lines = [head[0], LiveLine("")] + Array(history.dropFirst(scroll).map { LiveLine($0) })
    case .help: lines = [head[0], LiveLine("")] + Self.help.map { LiveLine($0) }
    }
    lines = Array(lines.prefix(height - 1))
    lines += Array(repeating: LiveLine(""), count: height - 1 - lines.count)
    lines.append(foot)
    return lines.map { LiveLine(LiveText.fit($0.text, width), $0.style) }
  }

  private var head: [LiveLine] {
    let name = snapshot.program.split(separator: "/").last.map(String.init) ?? "?"
    var first = "lifeline live  \(name) (\(snapshot.process))  \(LiveText.duration(snapshot.elapsed))"
    first += "  \(LiveText.number(snapshot.events)) events"
    if snapshot.findingCount > 0 { first += "  findings: \(snapshot.findingCount)" }
    if !snapshot.isRunning { first += "  ended" }
    let total = snapshot.total
    let more = snapshot.rows.reduce(0) { $0 + growth($1) }
    let rates = snapshot.rates.total
    func shown(_ rate: Double) -> String { LiveText.rate(rate).isEmpty ? "0" : LiveText.rate(rate) }
    var second = "live \(LiveText.number(total.live))"
    if snapshot.sample > 1 { second += " of a sample, one object in \(snapshot.sample)" }
    if markNumber > 0 { second += " (\(more < 0 ? "" : "+")\(LiveText.number(more)) since mark \(markNumber))" }
    second += ", \(LiveText.bytes(total.bytes))"
    var third = "per second: \(shown(rates.allocations)) allocations, \(shown(rates.deinits)) deinits, "
    third += "\(shown(rates.retains)) retains"
    return [LiveLine(first, .bold), LiveLine(second), LiveLine(third), LiveLine(snapshot.remark, .alarm)]
  }

  private var foot: LiveLine {
    if isFiltering { return LiveLine("/\(filter)_   Enter keeps the filter, Esc removes it", .bold) }
    switch page {
    case .classes:
      let shown = filter.isEmpty ? "" : "  [\(filter)]"
      return LiveLine("q quit  s sort (\(sort.rawValue))  / filter\(shown)  m mark  Enter open  ? help", .dim)
    case .owner: return LiveLine("q quit  Esc back  ↑↓ select an object  Enter its history", .dim)
    case .history: return LiveLine("q quit  Esc back  ↑↓ scroll", .dim)
    case .help: return LiveLine("any key goes back", .dim)
    }
  }

  private static let columns = ["live", "+mark", "bytes", "alloc/s", "retain/s"]
  private static let columnWidth = 9

  private static func line(_ mark: String, _ name: String, _ cells: [String], width: Int) -> String {
    let numbers = cells.map { LiveText.right($0, columnWidth) }.joined()
    let room = max(8, width - mark.count - numbers.count)
    return mark + LiveText.fit(name, room) + numbers
  }

  private func classes(width: Int, height: Int) -> [LiveLine] {
    let rows = rows
    // Space that the classes leave is for the oldest objects, then for findings; a few of both always have room.
    var free = height - 1 - max(1, rows.count)
    func share(_ count: Int, atLeast fewest: Int) -> Int {
      let taken = min(count, max(fewest, free - 1))
      if taken > 0 { free -= taken + 1 }
      return taken
    }
    let sureFindings = min(snapshot.findings.count, height >= 14 ? 3 : 0)
    if sureFindings > 0 { free -= sureFindings + 1 }
    let oldest = Array(
      snapshot.oldest.prefix(share(snapshot.oldest.count, atLeast: height >= 24 ? 6 : height >= 16 ? 3 : 0)))
    let findings = Array(snapshot.findings.suffix(sureFindings > 0 ? sureFindings + max(0, free) : 0))
    let below = (findings.isEmpty ? 0 : findings.count + 1) + (oldest.isEmpty ? 0 : oldest.count + 1)
    let room = max(1, height - 1 - below)
    var lines = [LiveLine(Self.line("  ", "class", Self.columns, width: width), .bold)]
    let place = rows.firstIndex { $0.name == choice } ?? 0
    // Paging keeps the selected row visible.
    let first = place / room * room
    for (index, row) in rows.enumerated().dropFirst(first).prefix(room) {
      let rate = snapshot.rates[row.name]
      let cells = [
        LiveText.number(row.live), markNumber > 0 ? LiveText.growth(growth(row)) : "", LiveText.bytes(row.bytes),
        LiveText.rate(rate.allocations), LiveText.rate(rate.retains),
      ]
      let isChosen = index == place
      let text = Self.line(isChosen ? "> " : "  ", row.name, cells, width: width)
      lines.append(LiveLine(text, isChosen ? .chosen : .plain))
    }
    if rows.isEmpty {
      lines.append(
        LiveLine(
          filter.isEmpty ? "  no objects yet" : "  no class has '\(filter)' in its name; Esc removes the filter", .dim))
    }
    lines += Array(repeating: LiveLine(""), count: max(0, room + 1 - lines.count))
    if !oldest.isEmpty {
      lines.append(LiveLine("oldest objects", .bold))
      lines += oldest.map { LiveLine("  " + Self.object($0, withClass: true, width: width - 2)) }
    }
    if !findings.isEmpty {
      lines.append(LiveLine("findings: \(snapshot.findingCount), the last ones", .bold))
      lines += findings.map { LiveLine("  \($0.title)", .alarm) }
    }
    return lines
  }

  private static func object(_ object: LiveSnapshot.Object, withClass: Bool, width: Int) -> String {
    let age = LiveText.fit(LiveText.duration(object.age), 12)
    let name =
      withClass ? LiveText.fit(object.className, max(24, width / 3)) + " " : "0x\(String(object.address, radix: 16))  "
    let room = width - 12 - (withClass ? max(24, width / 3) + 1 : name.count)
    return age + name + LiveText.place(object.place, room)
  }

  private func owner(width: Int, height: Int) -> [LiveLine] {
    guard let detail else { return [] }
    let row = snapshot.rows.first { $0.name == detail.className } ?? LiveRow(name: detail.className)
    var numbers = "live \(LiveText.number(row.live))"
    if markNumber > 0 {
      numbers += " (\(growth(row) < 0 ? "" : "+")\(LiveText.number(growth(row))) since mark \(markNumber))"
    }
    numbers += ", \(LiveText.bytes(row.bytes)), allocated \(LiveText.number(row.allocated))"
    numbers += ", deinits \(LiveText.number(row.ended)), retains \(LiveText.number(row.retains))"
    var lines = [LiveLine(detail.className, .bold), LiveLine(numbers), LiveLine("")]
    let room = max(2, height - 6)
    let sites = detail.sites.prefix(max(1, room / 2, room - detail.objects.count))
    lines.append(LiveLine("live  allocated at", .bold))
    lines += sites.map {
      let number = LiveText.right(LiveText.number($0.live), 4) + "  "
      return LiveLine(number + LiveText.place($0.place, width - number.count))
    }
    lines += [LiveLine(""), LiveLine("oldest objects", .bold)]
    let left = max(1, height - lines.count)
    let first = chosenObject / left * left
    for (index, object) in detail.objects.enumerated().dropFirst(first).prefix(left) {
      let isChosen = index == chosenObject
      let text = Self.object(object, withClass: false, width: width - 2)
      lines.append(LiveLine((isChosen ? "> " : "  ") + text, isChosen ? .chosen : .plain))
    }
    return lines
  }

  private static let help = [
    "s        sort by live objects, growth, bytes, allocations, retains, name",
    "/        show only classes whose name contains a text; Esc removes the filter",
    "m        mark this moment: +mark is what was added since",
    "↑ ↓      select a class (also j k, page keys, Home, End)",
    "Enter    open it: where its live objects were allocated, the oldest of them;",
    "         then an object's history: every event of its life",
    "Esc      back",
    "q        quit",
    "",
    "live: objects whose deinit has not begun.  per second: over the last second.",
  ]
}
