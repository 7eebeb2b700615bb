import CElfutils

/// The functions of one unit and what was inlined into them.
struct FunctionTable {
  static let none = AddressMap.none

  /// Where each function's entry is in .debug_info. An enclosing function comes before the enclosed ones.
  private(set) var entries: [Int] = []
  /// The function that each was inlined into, or `none`.
  private(set) var parents: [Int32] = []
  /// The function that is not inlined around each.
  private(set) var outermost: [Int32] = []
  /// The innermost function at each address.
  private(set) var map = AddressMap()

  /// Reads a unit's entries once, from the first on. Names and call sites are left for those that are asked for.
  init(_ unit: DebugUnit, _ abbreviations: AbbreviationTable) {
    var ranges: [AddressMap.Range] = []
    var budget = unit.header.end - unit.header.start + max(unit.sections.ranges.count, unit.sections.rangeLists.count)
    var enclosing: [Int32] = []
    var current = Self.none
    var reader = unit.reader(from: unit.header.firstEntry)
    while !reader.isAtEnd {
      let position = reader.position
      let code = reader.unsigned()
      if code == 0 {
        guard let outer = enclosing.popLast() else { break }
        current = outer
        if enclosing.isEmpty { break }
        continue
      }
      guard let entry = abbreviations.entry(code) else { break }
      var own = current
      let isInlined = entry.tag == UInt32(DW_TAG_inlined_subroutine)
      if isInlined || entry.tag == UInt32(DW_TAG_subprogram) {
        let attributes = abbreviations.attributes(entry, &reader)
        let count = ranges.count
        let number = Int32(entries.count)
        unit.addRanges(of: attributes, rank: number, budget: &budget, to: &ranges)
        own = isInlined ? current : Self.none
        if isInlined || ranges.count > count {
          entries.append(position)
          parents.append(own)
          outermost.append(own == Self.none ? number : outermost[Int(own)])
          own = number
        }
      } else {
        abbreviations.skip(entry, &reader)
      }
      if entry.hasChildren {
        enclosing.append(current)
        current = own
      } else if enclosing.isEmpty {
        break
      }
    }
    map = AddressMap(ranges)
  }
}
