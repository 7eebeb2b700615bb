import CSQLite

/// Adds rows to one table.
final class SQLiteInsertion {
  private let statement: OpaquePointer
  private let database: SQLiteDatabase
  /// SQLite copies the text: SQLITE_TRANSIENT is a macro that Swift cannot import.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ statement: OpaquePointer, of database: SQLiteDatabase) {
    self.statement = statement
    self.database = database
  }

  deinit { sqlite3_finalize(statement) }

  /// - Throws: `ExportError`.
  func add(_ row: SQLiteValue...) throws {
    for (index, value) in row.enumerated() {
      let column = Int32(index + 1)
      let status =
        switch value {
        case .null: sqlite3_bind_null(statement, column)
        case .integer(let number): sqlite3_bind_int64(statement, column, number)
        case .real(let number): sqlite3_bind_double(statement, column, number)
        case .text(var text):
          text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
              sqlite3_bind_text(statement, column, $0.baseAddress ?? nil, Int32($0.count), Self.transient)
            }
          }
        }
      guard status == SQLITE_OK else { throw database.error }
    }
    let status = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard status == SQLITE_DONE else { throw database.error }
  }
}
