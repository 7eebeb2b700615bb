/// Live objects over the recording, at the size of a word.
struct Sparkline {
  let values: [Int]
  private static let height = 22

  /// Nothing for a class whose curve was not recorded.
  var markup: Markup {
    let values = values.prefix(64).map { max(0, $0) }
    guard values.count > 1, let highest = values.max(), highest > 0 else { return "" }
    let points = values.enumerated().map { index, value in
      "\(index * 2) \(Self.height - Int(Double(value) / Double(highest) * Double(Self.height - 2)))"
    }
    let width = (values.count - 1) * 2
    let line: Markup = "M\(points.joined(separator: "L"), limit: 2000)"
    let label = "Live objects: \(values.first ?? 0) at first, \(highest) at peak, \(values.last ?? 0) at the end"
    return """
      <svg class="sparkline" role="img" aria-label="\(label)" viewBox="0 0 \(width) \(Self.height + 1)" \
      preserveAspectRatio="none"><path class="area" d="\(line)L\(width) \(Self.height)L0 \(Self.height)Z"/>\
      <path class="curve" d="\(line)"/></svg>
      """
  }
}
