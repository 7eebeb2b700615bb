import CSQLite

/// A new database that is written once, from the first row to the last.
///
/// There is no journal, because an incomplete file is discarded.
final class SQLiteDatabase {
  /// The file's name in errors.
  private let name: String
  private var handle: OpaquePointer?

  /// - Throws: `ExportError` if the file cannot be created.
  init(path: String, name: String) throws {
    self.name = name
    guard
      sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK
    else {
      throw error
    }
    try run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; BEGIN")
  }

  deinit { sqlite3_close_v2(handle) }

  var error: ExportError {
    ExportError("Cannot write the file \(name): \(String(cString: sqlite3_errmsg(handle))).")
  }

  /// Runs statements without parameters.
  ///
  /// - Throws: `ExportError`.
  func run(_ statements: String) throws {
    guard sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  /// A statement that adds a row with this many columns to a table.
  ///
  /// - Throws: `ExportError`.
  func insertion(into table: String, columns: Int) throws -> SQLiteInsertion {
    var statement: OpaquePointer?
    let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
    guard
      sqlite3_prepare_v3(
        handle, "INSERT INTO \(table) VALUES (\(marks))", -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        == SQLITE_OK,
      let statement
    else { throw error }
    return SQLiteInsertion(statement, of: self)
  }

  /// Must be called at the end.
  ///
  /// - Throws: `ExportError`.
  func finish() throws {
    try run("COMMIT")
  }
}
