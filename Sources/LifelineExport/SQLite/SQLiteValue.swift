/// A value of a column.
enum SQLiteValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  init(_ value: some BinaryInteger) { self = .integer(Int64(truncatingIfNeeded: value)) }
  init(_ value: (some BinaryInteger)?) { self = value.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null }
  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  /// A name in the traced program, bounded and without control characters.
  init(name: String?) { self = name.map { .text(ExportName.clean($0)) } ?? .null }
}
