/// One row as a line of JSON, with columns in the order in which they were set.
struct ColumnRow {
  private var text = ""

  mutating func set(_ column: String, _ value: String?) {
    add(column, value.map { JSONText.quoted(ExportName.clean($0)) })
  }
  mutating func set(_ column: String, _ value: (some BinaryInteger)?) { add(column, value.map { "\($0)" }) }
  mutating func set(_ column: String, _ value: Bool) { add(column, value ? "true" : "false") }
  mutating func set(_ column: String, rows: [ColumnRow]) {
    add(column, "[\(rows.map { "{\($0.text)}" }.joined(separator: ","))]")
  }

  /// Unknown values are null, so that each row has all columns.
  private mutating func add(_ column: String, _ value: String?) {
    text += "\(text.isEmpty ? "" : ",")\"\(column)\":\(value ?? "null")"
  }

  var line: String { "{\(text)}\n" }
}
