import CLifelineFormat
import CZstd

/// Compresses the columns of one group after another.
final class GroupWriter {
  private let context = ZSTD_createCCtx()
  private var bytes: [UInt8] = []
  private let level: Int32

  /// `level` is zstd's, 1…19: higher is smaller and slower.
  init(level: Int) { self.level = Int32(level) }

  deinit { ZSTD_freeCCtx(context) }

  /// The bytes of a group (lifeline_compact.h). O(bytes).
  func compress(_ columns: ColumnBuffer) -> [UInt8] {
    let headSize = Int(LIFELINE_COLUMN_COUNT) * 8
    let bound = Column.allCases.reduce(headSize) { $0 + ZSTD_compressBound(columns[$1].count) }
    if bytes.count < bound { bytes = [UInt8](repeating: 0, count: bound) }
    var end = headSize
    bytes.withUnsafeMutableBytes { out in
      for column in Column.allCases {
        let source = columns.bytes(column)
        var size = 0
        if source.count > 0 {
          size = ZSTD_compressCCtx(
            context, out.baseAddress! + end, out.count - end, source.baseAddress, source.count, level)
          precondition(ZSTD_isError(size) == 0, "There is room for the bound of every column.")
        }
        out.storeBytes(of: UInt32(source.count), toByteOffset: column.rawValue * 8, as: UInt32.self)
        out.storeBytes(of: UInt32(size), toByteOffset: column.rawValue * 8 + 4, as: UInt32.self)
        end += size
      }
    }
    return Array(bytes[..<end])
  }
}
