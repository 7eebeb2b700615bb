import LifelineLifetimes

/// A profile for a terminal: the most expensive classes, functions, lines and avoidable pairs.
public struct ProfileTextFormat {
  private let style: TextStyle
  private static let nameLimit = 72
  /// Functions whose callers and callees are shown.
  private let pattern: ((String) -> Bool)?
  private let width: Int?

  /// `pattern` selects the functions whose callers and callees are shown; nil for none. On a terminal with fewer
  /// columns than a table, names are above their numbers.
  public init(isColored: Bool = false, pattern: ((String) -> Bool)? = nil, width: Int? = nil) {
    style = TextStyle(isColored: isColored)
    self.width = width
    self.pattern = pattern
  }

  public func render(_ report: ProfileReport) -> String {
    if let pattern { return neighbors(report.functions.filter { pattern($0.function) }) }
    var lines = [heading(report), ""]
    lines += section(
      "Classes", report.omitted.classes, header: ["class"] + Self.columns,
      report.classes.map { [Self.name($0.name)] + cells($0.cost) })
    lines += section(
      "Functions, by their own cost", report.omitted.functions,
      header: ["function"] + Self.columns + ["with callees"],
      report.functions.map {
        [Self.name($0.function)] + cells($0.exclusive) + [Self.duration($0.inclusive.nanoseconds)]
      })
    lines += section(
      "Lines", report.omitted.lines, header: ["line"] + Self.columns + ["with callees"],
      report.lines.map {
        [Self.name("\($0.file.split(separator: "/").last ?? ""):\($0.line) \($0.function)")] + cells($0.exclusive) + [
          Self.duration($0.inclusive.nanoseconds)
        ]
      })
    lines += section(
      "Avoidable pairs of retain and release", report.omitted.avoidable,
      header: ["class", "line", "pairs", "estimate"],
      report.avoidable.map {
        [
          Self.name($0.class), Self.name("\(Self.place($0.file, $0.line))\($0.function)"), Quantity.number($0.count),
          Self.duration($0.nanoseconds),
        ]
      }, leftAligned: 2)
    lines.append(
      "Estimates: \(price(report.prices.reference)) per retain or release, "
        + "\(price(report.prices.allocation)) per object (Documentation/Costs.md)."
    )
    return lines.joined(separator: "\n").wrapped(to: width) + "\n"
  }

  private func heading(_ report: ProfileReport) -> String {
    let program = ProgramName(report.program).text
    let total = report.total
    let sum = [
      Quantity.count(total.retains, "retain"), Quantity.count(total.releases, "release"),
      Quantity.count(total.allocations, "allocation"),
      "\(Quantity.bytes(total.bytes)) allocated", "\(Quantity.number(total.live)) live at the end",
      "an estimated \(Self.duration(total.nanoseconds))",
    ].joined(separator: ", ")
    let heading = "\(style.bold(program.shown(atMost: 200))): \(sum)"
    guard report.shortened > 0 else { return heading }
    return heading
      + "\nThe callers of \(Quantity.count(report.shortened, "event")) were not kept: "
      + "there were too many different backtraces."
  }

  private static let columns = ["retains", "releases", "allocations", "bytes", "live", "avoidable", "estimate"]

  private func cells(_ cost: ProfileReport.Cost) -> [String] {
    [
      Quantity.number(cost.retains), Quantity.number(cost.releases), Quantity.number(cost.allocations),
      Quantity.bytes(max(0, cost.bytes)),
      Quantity.number(cost.live), Quantity.number(cost.avoidable), Self.duration(cost.nanoseconds),
    ]
  }

  private func section(
    _ title: String, _ omitted: Int, header: [String], _ rows: [[String]], leftAligned: Int = 1
  ) -> [String] {
    Self.section(style.bold(title), omitted, header: header, rows, style, leftAligned: leftAligned, width: width)
  }

  /// A table under its title, and the number of omitted rows; empty if it has none.
  static func section(
    _ title: String, _ omitted: Int, header: [String], _ rows: [[String]], _ style: TextStyle, leftAligned: Int = 1,
    width: Int? = nil
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    var table = TextTable(header: header, rightAligned: Set(header.indices.dropFirst(leftAligned)))
    for row in rows { table.add(row) }
    let more = omitted > 0 ? ["\(Quantity.number(omitted)) more (--top)"] : []
    let lines = table.lines(width: width, stacking: leftAligned)
    return [title] + lines.head.map(style.dim) + lines.rows + more + [""]
  }

  /// The selected functions, each between its callers and its callees.
  private func neighbors(_ functions: [ProfileReport.Function]) -> String {
    if functions.isEmpty { return "No function in the profile has this name.\n" }
    return functions.map { function in
      let title = "\(style.bold(Self.name(function.function))) (\(Self.name(function.image)))"
      var table = TextTable(header: [""] + Self.columns, rightAligned: Set(1...Self.columns.count))
      for caller in function.callers { table.add(["  called by \(Self.name(caller.function))"] + cells(caller.cost)) }
      table.add(["itself"] + cells(function.exclusive))
      table.add(["with callees"] + cells(function.inclusive))
      for callee in function.callees { table.add(["  calls \(Self.name(callee.function))"] + cells(callee.cost)) }
      let lines = table.lines(width: width, stacking: 1)
      return ([title] + lines.head + lines.rows).joined(separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  private static func place(_ file: String?, _ line: Int?) -> String {
    guard let file, let line else { return "" }
    return "\(file.split(separator: "/").last ?? ""):\(line) "
  }

  /// Long names keep their beginning and their end.
  static func name(_ text: String) -> String {
    let shown = text.shown(atMost: 400)
    guard shown.count > nameLimit else { return shown }
    return "\(shown.prefix(nameLimit - 21))…\(shown.suffix(20))"
  }

  static func duration(_ nanoseconds: Int) -> String { Quantity.duration(UInt64(max(0, nanoseconds))) }

  private func price(_ nanoseconds: Double) -> String {
    nanoseconds == nanoseconds.rounded() ? "\(Int(nanoseconds)) ns" : "\(nanoseconds) ns"
  }
}
