extension TextFormat {
  private static let testLimit = 40

  /// The table of `--per-test`.
  func tests(_ report: Report) -> [String] {
    guard let tests = report.tests else { return [] }
    guard !tests.isEmpty else { return ["", style.bold("Tests"), "  No test allocated an object."] }
    let isCounted = tests.allSatisfy { $0.retains != nil }
    let header =
      ["test", "objects", "bytes", "peak bytes", "live at exit"] + (isCounted ? ["retains"] : []) + ["findings"]
    var table = TextTable(header: header, rightAligned: Set(1..<header.count))
    for test in tests.prefix(Self.testLimit) {
      table.add(
        [
          test.name.safe, Quantity.number(test.objects), Quantity.number(test.bytes), Quantity.number(test.peakBytes),
          Quantity.number(test.liveAtExit),
        ] + (isCounted ? [test.retains.map(Quantity.number) ?? ""] : []) + [
          test.findings == 0 ? "" : Quantity.number(test.findings)
        ])
    }
    var lines = table.lines(width: width.map { $0 - 2 }, flexible: 0)
    lines[0] = style.dim(lines[0])
    let rest = tests.count - Self.testLimit
    if rest > 0 { lines.append("and \(Quantity.count(rest, "test")) more; --format json lists all") }
    return ["", style.bold("Tests")] + lines.map { "  \($0)" }
  }
}
