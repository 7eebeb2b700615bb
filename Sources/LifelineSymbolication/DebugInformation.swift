import CElfutils

/// The DWARF of one file, with an index of compilation units of our own.
///
/// swiftc writes no .debug_aranges, and without it libdwfl finds nothing (design notes, section 2): the ranges of
/// every unit are read once; lines and functions of a unit when an address falls into it.
final class DebugInformation {
  /// A function around an address, and the place in it: of the address, or of the call that was inlined there.
  struct Place {
    var name: String?
    var start: UInt64
    var isInlined: Bool
    var file: String?
    var line: Int
    var column: Int
  }

  private struct FileKey: Hashable {
    let table: UInt64
    let file: UInt32
  }

  private let file: ELFFile
  private let sections: DebugSections
  /// In the order of the file.
  private var units: [UnitReader] = []
  private var ranges: [(low: UInt64, high: UInt64, unit: Int)] = []
  private var reach: [UInt64] = []
  private var names: [UInt64: String?] = [:]
  private var paths: [FileKey: String?] = [:]
  private lazy var dwarf = dwarf_begin_elf(file.elf, DWARF_C_READ, nil)
  private var usesLibdw = false

  /// Nil when the file holds no unit that can be read.
  init?(_ file: ELFFile) {
    self.file = file
    sections = DebugSections(file)
    readUnits()
    if units.isEmpty { return nil }
  }

  deinit { if usesLibdw { dwarf_end(dwarf) } }

  private func readUnits() {
    var position: UInt64 = 0
    while position < UInt64(sections.info.count) {
      guard let unit = UnitReader(sections, at: &position) else { continue }
      let index = units.count
      units.append(unit)
      let lists = RangeListReader(unit: unit)
      if !unit.isPartial { lists.read(low: unit.low, high: unit.high, list: unit.list) { ranges.append(($0, $1, index)) } }
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

  /// The functions around a file address, innermost first, each with its place in the source.
  ///
  /// One place without a name where only the line is known, none where nothing is.
  func find(_ address: UInt64) -> [Place] {
    guard let index = unit(at: address) else { return [] }
    let unit = units[index]
    let table = unit.functions
    let innermost = table.innermost(at: address)
    let row = unit.lines.find(address) { innermost != nil && table.innermost(at: $0) == innermost }
    var place = Place(
      start: address, isInlined: false, file: row.flatMap { path($0.file, unit) }, line: Int(row?.line ?? 0),
      column: Int(row?.column ?? 0))
    guard var function = innermost else { return row == nil ? [] : [place] }
    var places: [Place] = []
    while true {
      let entry = table.entries[function]
      place.name = name(entry.origin)
      place.start = entry.low
      place.isInlined = entry.parent >= 0
      places.append(place)
      // A parent comes before its child, so this ends.
      guard place.isInlined else { return places }
      place.file = path(entry.callFile, unit)
      place.line = Int(entry.callLine)
      place.column = Int(entry.callColumn)
      function = Int(entry.parent)
    }
  }

  private func path(_ file: UInt32, _ unit: UnitReader) -> String? {
    let key = FileKey(table: unit.lineTable ?? .max, file: file)
    if let known = paths[key] { return known }
    let path = unit.lines.file(file)
    paths[key] = .some(path)
    return path
  }

  // MARK: Names

  /// The linkage name, or the plain one, of the entry at an offset.
  private func name(_ offset: UInt64) -> String? {
    if let known = names[offset] { return known }
    let name = ownName(offset) ?? nameFromLibdw(offset)
    names[offset] = .some(name)
    return name
  }

  private func ownName(_ offset: UInt64) -> String? {
    var offset = offset
    var plain: UnsafePointer<CChar>?
    // A declaration, the abstract function, an instance of it: three steps in what compilers write.
    for _ in 0..<16 {
      guard let unit = unit(containing: offset) else { break }
      var reader = unit.entryReader(at: offset)
      guard let abbreviation = unit.abbreviations[reader.unsigned()] else { break }
      var next: UInt64?
      for attribute in unit.abbreviations.attributes[abbreviation.attributes] {
        guard let value = unit.value(of: attribute, &reader) else { return nil }
        switch Int(attribute.name) {
        case DW_AT_linkage_name, DW_AT_MIPS_linkage_name:
          if let text = unit.text(value) { return String(cString: text) }
        case DW_AT_name: plain = plain ?? unit.text(value)
        case DW_AT_abstract_origin, DW_AT_specification:
          if case .entry(let entry) = value { next = entry }
        default: break
        }
      }
      guard let next else { break }
      offset = next
    }
    return plain.map { String(cString: $0) }
  }

  /// The unit around an offset in .debug_info.
  private func unit(containing offset: UInt64) -> UnitReader? {
    var low = 0
    var high = units.count
    while low < high {
      let middle = (low + high) / 2
      if units[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 && offset < units[low - 1].end ? units[low - 1] : nil
  }

  /// For what lies in another file, as dwz leaves it.
  private func nameFromLibdw(_ offset: UInt64) -> String? {
    usesLibdw = true
    var die = Dwarf_Die()
    guard let dwarf, dwarf_offdie(dwarf, offset, &die) != nil else { return nil }
    for name in [UInt32(DW_AT_linkage_name), UInt32(DW_AT_MIPS_linkage_name), UInt32(DW_AT_name)] {
      var attribute = Dwarf_Attribute()
      if dwarf_attr_integrate(&die, name, &attribute) != nil, let text = dwarf_formstring(&attribute) {
        return String(cString: text)
      }
    }
    return nil
  }
}
