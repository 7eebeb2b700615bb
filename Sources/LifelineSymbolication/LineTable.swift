import CElfutils

/// The line rows of one compilation unit, sorted by address.
struct LineTable {
  struct Row {
    let file: String?
    let line: Int
    let column: Int
  }

  private var addresses: [UInt64] = []
  private var lines: [Int32] = []
  private var columns: [Int32] = []
  /// Index into `files`, -1 at the end of a sequence.
  private var fileIndices: [Int32] = []
  private var files: [String] = []

  init(unit: inout Dwarf_Die, paths: SourceFiles) {
    var table: OpaquePointer?
    var count = 0
    guard dwarf_getsrclines(&unit, &table, &count) == 0, let table else { return }
    var known: [UnsafePointer<CChar>: Int32] = [:]
    addresses.reserveCapacity(count)
    for index in 0..<count {
      guard let line = dwarf_onesrcline(table, index) else { continue }
      var address: Dwarf_Addr = 0
      var number: Int32 = 0
      var column: Int32 = 0
      var ends = false
      guard dwarf_lineaddr(line, &address) == 0 else { continue }
      dwarf_lineno(line, &number)
      dwarf_linecol(line, &column)
      dwarf_lineendsequence(line, &ends)
      var file: Int32 = -1
      if !ends, let source = dwarf_linesrc(line, nil, nil) {
        if let index = known[source] {
          file = index
        } else {
          file = Int32(files.count)
          known[source] = file
          files.append(paths.path(source))
        }
      }
      addresses.append(address)
      lines.append(number)
      columns.append(column)
      fileIndices.append(file)
    }
  }

  /// The row in force at an address: the last one at or before it. O(log n).
  ///
  /// Releases and deinits often carry line 0, "no line"; then it is the last row before it, not before `start`, that
  /// has a line and belongs to the same function, as `isSameFunction` says of its address.
  func find(_ address: UInt64, start: UInt64, isSameFunction: (UInt64) -> Bool) -> Row? {
    var low = 0
    var high = addresses.count
    while low < high {
      let middle = (low + high) / 2
      if addresses[middle] <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, fileIndices[low - 1] >= 0 else { return nil }
    let found = low - 1
    if lines[found] != 0 { return row(found) }
    var index = found
    while index > 0, addresses[index - 1] >= start, fileIndices[index - 1] >= 0 {
      index -= 1
      if lines[index] != 0, isSameFunction(addresses[index]) { return row(index) }
    }
    return row(found)
  }

  private func row(_ index: Int) -> Row {
    Row(file: files[Int(fileIndices[index])], line: Int(lines[index]), column: Int(columns[index]))
  }
}
