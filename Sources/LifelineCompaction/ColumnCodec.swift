/// Moves the bytes of events between a chunk, which has them in order, and columns, which have them by kind.
protocol ColumnCodec {
  /// Moves the next byte, which is in this column, and returns it; nil if there is none, or no room for it.
  mutating func transfer(_ column: Column) -> UInt8?
}

extension ColumnCodec {
  /// Moves a varint and returns its number, of which only the low 64 bits matter; nil if it is cut off.
  @inline(__always)
  mutating func moveVarint(_ column: Column) -> UInt64? {
    guard let first = transfer(column) else { return nil }
    return first < 0x80 ? UInt64(first) : moveRest(of: first, column)
  }

  private mutating func moveRest(of first: UInt8, _ column: Column) -> UInt64? {
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while let next = transfer(column) {
      if shift < 64 { value |= UInt64(next & 0x7F) << shift }
      if next < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
