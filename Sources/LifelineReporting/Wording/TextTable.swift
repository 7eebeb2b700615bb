/// Columns of text: the first left-aligned, numbers right-aligned.
public struct TextTable {
  private var rows: [[String]]
  private let rightAligned: Set<Int>
  /// Minimum length of a shortened text.
  private static let fewest = 16
  private static let indent = String(repeating: " ", count: 8)

  public init(header: [String], rightAligned: Set<Int>) {
    rows = [header]
    self.rightAligned = rightAligned
  }

  public mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, without trailing spaces; the header is the first.
  public var lines: [String] { blocks(width: nil).joined().map { $0 } }

  /// Lines that fit in `width` columns, if possible; nil is no limit.
  ///
  /// If the table is wider, texts in the column `flexible` are shortened in the middle; if a row is still too long, its
  /// last column gets its own line.
  public func lines(width: Int?, flexible: Int? = nil) -> [String] {
    blocks(width: width, flexible: flexible).joined().map { $0 }
  }

  /// Lines that fit in `width` columns, if possible; nil is no limit. A first text that is longer than the column may
  /// be, at most `longest`, is on its own line above the rest of its row.
  func lines(width: Int?, hanging longest: Int) -> [String] {
    func widest(_ column: Int) -> Int { rows.map { $0[column].count }.max() ?? 0 }
    let others = rows[0].indices.dropFirst().reduce(0) { $0 + widest($1) + 2 }
    let room = max(Self.fewest, min(longest, (width ?? .max) - others))
    var fitting = self
    for row in rows.indices where rows[row][0].count > room { fitting.rows[row][0] = "" }
    return zip(rows, fitting.lines).flatMap { row, line in row[0].count > room ? [row[0], line] : [line] }
  }

  /// The lines of the header and of the rows; if the table is wider than `width`, the first texts of each row are above
  /// its numbers, each on its own line.
  func lines(width: Int?, stacking texts: Int) -> (head: [String], rows: [String]) {
    let whole = lines
    guard let width, whole.contains(where: { $0.count > width }) else { return ([whole[0]], Array(whole.dropFirst())) }
    var numbers = TextTable(
      header: Array(rows[0].dropFirst(texts)), rightAligned: Set(rightAligned.map { $0 - texts }))
    for row in rows.dropFirst() { numbers.add(Array(row.dropFirst(texts))) }
    let stacked = zip(rows, numbers.lines).map { row, line in
      row.prefix(texts).map { $0.shortened(to: width) }.filter { !$0.isEmpty } + [line]
    }
    return (stacked[0], stacked.dropFirst().flatMap { $0 })
  }

  /// The lines of each row.
  func blocks(width: Int?, flexible: Int? = nil) -> [[String]] {
    var rows = rows
    func widest(_ column: Int) -> Int { rows.map { $0[column].count }.max() ?? 0 }
    var widths = rows[0].indices.map(widest)
    if let width, let flexible {
      let others = widths.indices.reduce(0) { $0 + ($1 == flexible ? 0 : widths[$1] + 2) }
      let room = max(Self.fewest, width - others)
      for row in rows.indices { rows[row][flexible] = rows[row][flexible].shortened(to: room) }
      widths[flexible] = widest(flexible)
    }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return rightAligned.contains(column) ? padding + row[column] : row[column] + padding
      }
      let line = Self.line(cells)
      guard let width, line.count > width, let last = row.last, !last.isEmpty else { return [line] }
      return [Self.line(cells.dropLast()), Self.indent + last]
    }
  }

  private static func line(_ cells: some Collection<String>) -> String {
    var line = cells.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
