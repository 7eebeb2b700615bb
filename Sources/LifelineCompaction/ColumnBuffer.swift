import Glibc

/// The bytes of all columns of one group, and how far each has been read; its owner must deallocate it.
///
/// Every column has room for a whole group: what is not touched costs no memory, and no byte needs a check for room.
struct ColumnBuffer {
  struct Extent {
    let base: UnsafeMutablePointer<UInt8>
    var count = 0
    var position = 0
  }

  private let columns: UnsafeMutablePointer<Extent>
  let capacity: Int

  /// `capacity` is the most bytes that a group can have.
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

  /// Forgets what the columns hold.
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

  /// What a column holds.
  func bytes(_ column: Column) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: self[column].base, count: self[column].count)
  }

  /// Appends bytes to a column; there must be room.
  func append(_ bytes: UnsafeRawBufferPointer, to column: Column) {
    if let source = bytes.baseAddress { memmove(self[column].base + self[column].count, source, bytes.count) }
    self[column].count += bytes.count
  }

  /// Takes the next bytes of a column, or nil when it has fewer.
  func take(_ count: Int, from column: Column) -> UnsafeRawBufferPointer? {
    let extent = self[column]
    guard count <= extent.count - extent.position else { return nil }
    self[column].position += count
    return UnsafeRawBufferPointer(start: extent.base + extent.position, count: count)
  }
}
