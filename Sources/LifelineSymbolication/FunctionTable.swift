import CElfutils

/// The functions of one compilation unit and what was inlined into them, as ranges of addresses.
struct FunctionTable {
  struct Entry {
    let low: UInt64
    let high: UInt64
    let depth: Int
    /// Linkage name, or the plain one; it lives as long as the file. Most names are never asked for.
    let name: UnsafePointer<CChar>?
    /// Where the enclosing function calls this inlined one; the file as a number of the unit.
    let callFile: UInt64?
    let callLine: Int
    let callColumn: Int
  }

  /// Sorted by (low, depth).
  private var entries: [Entry] = []
  /// Highest `high` of entries[0...i]: where a backward search may stop.
  private var reach: [UInt64] = []

  init(unit: inout Dwarf_Die) {
    var child = Dwarf_Die()
    if dwarf_child(&unit, &child) == 0 { collect(&child, depth: 0, nesting: 0) }
    entries.sort { ($0.low, $0.depth) < ($1.low, $1.depth) }
    reach.reserveCapacity(entries.count)
    var highest: UInt64 = 0
    for entry in entries {
      highest = max(highest, entry.high)
      reach.append(highest)
    }
  }

  private mutating func collect(_ die: inout Dwarf_Die, depth: Int, nesting: Int) {
    // A hostile file may nest without end.
    guard nesting < 256 else { return }
    while true {
      let tag = dwarf_tag(&die)
      let isFunction = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine
      if isFunction { add(&die, depth: depth, isInlined: tag == DW_TAG_inlined_subroutine) }
      if dwarf_haschildren(&die) != 0, tag != DW_TAG_enumeration_type {
        var child = Dwarf_Die()
        if dwarf_child(&die, &child) == 0 { collect(&child, depth: isFunction ? depth + 1 : depth, nesting: nesting + 1) }
      }
      var sibling = Dwarf_Die()
      guard dwarf_siblingof(&die, &sibling) == 0 else { return }
      die = sibling
    }
  }

  private mutating func add(_ die: inout Dwarf_Die, depth: Int, isInlined: Bool) {
    var base: Dwarf_Addr = 0
    var low: Dwarf_Addr = 0
    var high: Dwarf_Addr = 0
    var offset = dwarf_ranges(&die, 0, &base, &low, &high)
    guard offset > 0 else { return }
    let name = Self.name(&die)
    let file = isInlined ? Self.number(&die, UInt32(DW_AT_call_file)) : nil
    let line = isInlined ? Int(truncatingIfNeeded: Self.number(&die, UInt32(DW_AT_call_line)) ?? 0) : 0
    let column = isInlined ? Int(truncatingIfNeeded: Self.number(&die, UInt32(DW_AT_call_column)) ?? 0) : 0
    while offset > 0 {
      if low < high {
        entries.append(Entry(low: low, high: high, depth: depth, name: name, callFile: file, callLine: line, callColumn: column))
      }
      offset = dwarf_ranges(&die, offset, &base, &low, &high)
    }
  }

  private static func number(_ die: inout Dwarf_Die, _ name: UInt32) -> UInt64? {
    var attribute = Dwarf_Attribute()
    var value: Dwarf_Word = 0
    guard dwarf_attr(&die, name, &attribute) != nil, dwarf_formudata(&attribute, &value) == 0 else { return nil }
    return UInt64(value)
  }

  private static func name(_ die: inout Dwarf_Die) -> UnsafePointer<CChar>? {
    for name in [UInt32(DW_AT_linkage_name), UInt32(DW_AT_MIPS_linkage_name), UInt32(DW_AT_name)] {
      var attribute = Dwarf_Attribute()
      if dwarf_attr_integrate(&die, name, &attribute) != nil, let text = dwarf_formstring(&attribute) {
        return text
      }
    }
    return nil
  }

  /// Functions around an address, the outermost first. O(log n + entries that overlap).
  func find(_ address: UInt64) -> [Entry] {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].low <= address { low = middle + 1 } else { high = middle }
    }
    var found: [Entry] = []
    var index = low - 1
    while index >= 0, reach[index] > address {
      if entries[index].high > address { found.append(entries[index]) }
      index -= 1
    }
    found.sort { $0.depth < $1.depth }
    return found
  }
}
