import CElfutils

/// The DWARF of one file, with an index of compilation units of our own.
///
/// swiftc writes no .debug_aranges, and without it libdwfl finds nothing (design notes, section 2): the ranges of
/// every unit are read once; lines and functions of a unit when an address falls into it.
final class DebugInformation {
  private struct Unit {
    var die: Dwarf_Die
    var contents: Contents?
  }

  private struct Contents {
    let files: SourceFiles
    let lines: LineTable
    let functions: FunctionTable
  }

  struct Answer {
    var row: LineTable.Row?
    /// The outermost first.
    var functions: [FunctionTable.Entry] = []
    /// The unit's, to which the functions' call sites refer.
    var files: SourceFiles?
  }

  private let file: ELFFile
  private let dwarf: OpaquePointer
  private var units: [Unit] = []
  private var ranges: [(low: UInt64, high: UInt64, unit: Int)] = []
  private var reach: [UInt64] = []

  init?(_ file: ELFFile) {
    guard let dwarf = dwarf_begin_elf(file.elf, DWARF_C_READ, nil) else { return nil }
    self.file = file
    self.dwarf = dwarf
    readUnits()
  }

  deinit { dwarf_end(dwarf) }

  private func readUnits() {
    var unit: OpaquePointer?
    var next: OpaquePointer?
    var version: UInt16 = 0
    var type: UInt8 = 0
    var die = Dwarf_Die()
    while dwarf_get_units(dwarf, unit, &next, &version, &type, &die, nil) == 0 {
      unit = next
      guard dwarf_tag(&die) == DW_TAG_compile_unit else { continue }
      let index = units.count
      units.append(Unit(die: die))
      var base: Dwarf_Addr = 0
      var low: Dwarf_Addr = 0
      var high: Dwarf_Addr = 0
      var offset = dwarf_ranges(&die, 0, &base, &low, &high)
      while offset > 0 {
        if low < high { ranges.append((low, high, index)) }
        offset = dwarf_ranges(&die, offset, &base, &low, &high)
      }
    }
    ranges.sort { ($0.low, $0.high) < ($1.low, $1.high) }
    var highest: UInt64 = 0
    for range in ranges {
      highest = max(highest, range.high)
      reach.append(highest)
    }
  }

  private func unit(at address: UInt64) -> Int? {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].low <= address { low = middle + 1 } else { high = middle }
    }
    var index = low - 1
    while index >= 0, reach[index] > address {
      if ranges[index].high > address { return ranges[index].unit }
      index -= 1
    }
    return nil
  }

  private func contents(_ index: Int) -> Contents {
    if let known = units[index].contents { return known }
    let files = SourceFiles(unit: &units[index].die)
    let contents = Contents(
      files: files, lines: LineTable(unit: &units[index].die, paths: files), functions: FunctionTable(unit: &units[index].die))
    units[index].contents = contents
    return contents
  }

  /// The source line and the functions around a file address.
  func find(_ address: UInt64) -> Answer {
    guard let index = unit(at: address) else { return Answer() }
    let unit = contents(index)
    let functions = unit.functions.find(address)
    let row = unit.lines.find(address, start: functions.first?.low ?? address) { other in
      // The same function, and nothing that was inlined into it: the same entries around it.
      let around = unit.functions.find(other)
      return around.count == functions.count && zip(around, functions).allSatisfy { $0.low == $1.low && $0.depth == $1.depth }
    }
    return Answer(row: row, functions: functions, files: unit.files)
  }
}
