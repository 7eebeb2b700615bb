import CLifelineFormat
import CZstd

/// Inflates the columns of one group after another. No allocation depends on the file's contents.
final class GroupReader {
  private let context = ZSTD_createDCtx()

  deinit { ZSTD_freeDCtx(context) }

  /// Fills the columns from the bytes of a group; false if these are invalid.
  func inflate(_ bytes: UnsafeRawBufferPointer, into columns: ColumnBuffer) -> Bool {
    columns.clear()
    var position = Int(LIFELINE_COLUMN_COUNT) * 8
    guard bytes.count >= position else { return false }
    for column in Column.allCases {
      let size = Int(bytes.loadUnaligned(fromByteOffset: column.rawValue * 8, as: UInt32.self))
      let stored = Int(bytes.loadUnaligned(fromByteOffset: column.rawValue * 8 + 4, as: UInt32.self))
      guard size <= columns.capacity, stored <= bytes.count - position, (size == 0) == (stored == 0) else {
        return false
      }
      if size > 0 {
        let result = ZSTD_decompressDCtx(context, columns[column].base, size, bytes.baseAddress! + position, stored)
        guard ZSTD_isError(result) == 0, result == size else { return false }
        columns[column].count = size
      }
      position += stored
    }
    return position == bytes.count
  }
}
