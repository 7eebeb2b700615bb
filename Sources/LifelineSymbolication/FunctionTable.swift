import CElfutils

/// The functions of one compilation unit and what was inlined into them, as flat sorted arrays.
struct FunctionTable {
  struct Entry {
    /// The enclosing function's index; -1 for a function that is not inlined.
    let parent: Int32
    /// Lowest address.
    let low: UInt64
    /// The entry in .debug_info that has the name.
    let origin: UInt64
    /// Where the enclosing function calls this inlined one; the file as an index of the unit's line table.
    let callFile: UInt32
    let callLine: UInt32
    let callColumn: UInt32
  }

  private struct AddressRange {
    let low: UInt64
    let high: UInt64
    let entry: Int32
  }

  private(set) var entries: [Entry] = []
  private var ranges: [AddressRange] = []
  /// The innermost function from an address up to the next one; -1 for none.
  private var starts: [UInt64] = []
  private var owners: [Int32] = []

  /// Reads all entries of the unit once. O(n log n).
  init(_ unit: UnitReader) {
    read(unit)
    flatten()
    ranges = []
  }

  private mutating func read(_ unit: UnitReader) {
    let lists = RangeListReader(unit: unit)
    var reader = unit.entryReader(at: unit.entries)
    var enclosing: [Int32] = []
    var current: Int32 = -1
    while !reader.isAtEnd {
      let offset = UInt64(reader.position)
      let code = reader.unsigned()
      if code == 0 {
        guard let outer = enclosing.popLast() else { return }
        current = outer
        continue
      }
      guard let abbreviation = unit.abbreviations[code] else { return }
      let outer = current
      let isInlined = abbreviation.tag == DW_TAG_inlined_subroutine
      if isInlined || abbreviation.tag == DW_TAG_subprogram {
        guard readFunction(unit, offset, abbreviation, parent: isInlined ? current : -1, &reader, lists) else { return }
        if abbreviation.hasChildren { current = Int32(truncatingIfNeeded: entries.count - 1) }
      } else if let size = abbreviation.size {
        reader.skip(size)
      } else {
        for index in abbreviation.attributes where !unit.format.skip(unit.abbreviations.attributes[index].form, &reader) { return }
      }
      if abbreviation.hasChildren { enclosing.append(outer) }
    }
  }

  private mutating func readFunction(
    _ unit: UnitReader, _ offset: UInt64, _ abbreviation: AbbreviationTable.Abbreviation, parent: Int32,
    _ reader: inout SectionReader, _ lists: RangeListReader
  ) -> Bool {
    var origin = offset
    var (file, line, column) = (UInt64(0), UInt64(0), UInt64(0))
    var (low, high, list) = (UnitReader.Value.other, UnitReader.Value.other, UnitReader.Value.other)
    for index in abbreviation.attributes {
      let attribute = unit.abbreviations.attributes[index]
      switch Int(attribute.name) {
      case DW_AT_abstract_origin, DW_AT_call_file, DW_AT_call_line, DW_AT_call_column, DW_AT_low_pc, DW_AT_high_pc, DW_AT_ranges:
        guard let value = unit.value(of: attribute, &reader) else { return false }
        switch (Int(attribute.name), value) {
        case (DW_AT_abstract_origin, .entry(let entry)): origin = entry
        case (DW_AT_call_file, .constant(let number)): file = number
        case (DW_AT_call_line, .constant(let number)), (DW_AT_call_line, .offset(let number)): line = number
        case (DW_AT_call_column, .constant(let number)): column = number
        case (DW_AT_low_pc, _): low = value
        case (DW_AT_high_pc, _): high = value
        case (DW_AT_ranges, _): list = value
        default: break
        }
      default:
        guard unit.format.skip(attribute.form, &reader) else { return false }
      }
    }
    let entry = Int32(truncatingIfNeeded: entries.count)
    var lowest = UInt64.max
    lists.read(low: low, high: high, list: list) {
      ranges.append(AddressRange(low: $0, high: $1, entry: entry))
      lowest = min(lowest, $0)
    }
    entries.append(
      Entry(
        parent: parent, low: lowest, origin: origin, callFile: UInt32(truncatingIfNeeded: file),
        callLine: UInt32(truncatingIfNeeded: line), callColumn: UInt32(truncatingIfNeeded: column)))
    return true
  }

  /// Cuts the ranges into pieces that each belong to one function, the one that comes last in the file: the innermost.
  private mutating func flatten() {
    ranges.sort { ($0.low, $0.entry) < ($1.low, $1.entry) }
    starts.reserveCapacity(ranges.count * 2)
    owners.reserveCapacity(ranges.count * 2)
    /// Ranges around the address reached, the innermost last; those below it may have ended.
    var open: [AddressRange] = []
    func mark(_ address: UInt64, _ owner: Int32) {
      if starts.last == address {
        owners[owners.count - 1] = owner
      } else if (owners.last ?? -1) != owner {
        starts.append(address)
        owners.append(owner)
      }
    }
    func close(upTo address: UInt64) {
      while let end = open.last?.high, end <= address {
        while let last = open.last, last.high <= end { open.removeLast() }
        mark(end, open.last?.entry ?? -1)
      }
    }
    for range in ranges {
      close(upTo: range.low)
      // Well-formed ranges nest, so the place is the end; the search is bounded for those that do not.
      var place = open.count
      while place > 0, open.count - place < 64, open[place - 1].entry > range.entry { place -= 1 }
      open.insert(range, at: place)
      if place == open.count - 1 { mark(range.low, range.entry) }
    }
    close(upTo: .max)
  }

  /// The innermost function around an address, as an index of `entries`. O(log n).
  func innermost(at address: UInt64) -> Int? {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 && owners[low - 1] >= 0 ? Int(owners[low - 1]) : nil
  }
}
