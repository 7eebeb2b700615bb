import Glibc

/// The bytes of all columns of one group, and how far each has been read; its owner must deallocate it.
///
/// Every column has room for a whole group: untouched memory costs nothing, and no byte needs a bounds check.
struct ColumnBuffer {
  struct Extent {
    let base: UnsafeMutablePointer<UInt8>
    var count = 0
    var position = 0
  }

  private let columns: UnsafeMutablePointer<Extent>
  let capacity: Int

  /// `capacity` is the maximum size of a group in bytes.
  init(capacity: Int) {
    self.capacity = capacity
    columns = .allocate(capacity: Column.allCases.count)
    for column in Column.allCases {
      (columns + column.rawValue).initialize(to: Extent(base: .allocate(capacity: capacity)))
    }
  }

  func deallocate() {
    for column in Column.allCases { columns[column.rawValue].base.deallocate() }
    columns.deallocate()
  }

  /// Clears the columns.
  func clear() {
    for column in Column.allCases {
      columns[column.rawValue].count = 0
      columns[column.rawValue].position = 0
    }
  }

  subscript(column: Column) -> Extent {
    @inline(__always) unsafeAddress { UnsafePointer(columns + column.rawValue) }
    @inline(__always) nonmutating unsafeMutableAddress { columns + column.rawValue }
  }

  /// The bytes of a column.
  func bytes(_ column: Column) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: self[column].base, count: self[column].count)
  }

  /// Appends bytes to a column, which must have room for them.
  func append(_ bytes: UnsafeRawBufferPointer, to column: Column) {
    if let source = bytes.baseAddress { memmove(self[column].base + self[column].count, source, bytes.count) }
    self[column].count += bytes.count
  }

  /// Takes the next bytes of a column, or nil if it has fewer.
  func take(_ count: Int, from column: Column) -> UnsafeRawBufferPointer? {
    let extent = self[column]
    guard count <= extent.count - extent.position else { return nil }
    self[column].position += count
    return UnsafeRawBufferPointer(start: extent.base + extent.position, count: count)
  }
}
