/// Columns of text: the first left-aligned, numbers right-aligned.
public struct TextTable {
  private var rows: [[String]]
  private let rightAligned: Set<Int>

  public init(header: [String], rightAligned: Set<Int>) {
    rows = [header]
    self.rightAligned = rightAligned
  }

  public mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, without trailing spaces; the header is the first.
  public var lines: [String] { lines(width: nil) }

  /// Lines of at most `width` characters, of which a longer one is cut off with "…"; nil is no limit.
  public func lines(width: Int?) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return rightAligned.contains(column) ? padding + row[column] : row[column] + padding
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      guard let width, width > 0, line.count > width else { return line }
      return line.prefix(width - 1) + "…"
    }
  }
}
