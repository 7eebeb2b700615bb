import CElfutils

extension DebugUnit {
  /// Adds the ranges of an entry's code, with a rank each.
  ///
  /// `budget` limits the ranges of all entries together: many entries of a hostile file may name one long list.
  func addRanges(of entry: CodeAttributes, rank: Int32, budget: inout Int, to ranges: inout [AddressMap.Range]) {
    if let low = address(entry.low), let length = entry.high.optional {
      let high = entry.high.form.isAddress ? address(entry.high) ?? 0 : low &+ length
      ranges.append(low, high, rank)
    } else if let position = listPosition(entry.ranges) {
      let section = header.encoding.version >= 5 ? sections.rangeLists : sections.ranges
      guard position < UInt64(section.count) else { return }
      let base = address(root.code.low) ?? 0
      let count = ranges.count
      section.read(at: Int(position), expected: 4096) { reader in
        // Repeats this if the list is longer than expected.
        ranges.removeLast(ranges.count - count)
        if header.encoding.version >= 5 {
          addList(&reader, base, rank, &budget, &ranges)
        } else {
          addPairs(&reader, base, rank, &budget, &ranges)
        }
      }
    }
  }

  private func listPosition(_ value: EntryAttributes.Value) -> UInt64? {
    guard Int(value.form.number) == Int(DW_FORM_rnglistx) else { return value.optional }
    return Self.number(
      value.number, size: Int(header.encoding.offsetSize), in: sections.rangeLists, from: rangeListsBase
    )
    .map { rangeListsBase &+ $0 }
  }

  /// .debug_ranges (DWARF 4, 2.17.3): pairs relative to a base; a first number of all ones introduces another base.
  private func addPairs(
    _ reader: inout ByteReader, _ start: UInt64, _ rank: Int32, _ budget: inout Int, _ ranges: inout [AddressMap.Range]
  ) {
    let size = Int(header.encoding.addressSize)
    let mark: UInt64 = size == 8 ? .max : 0xFFFF_FFFF
    var base = start
    while budget > 0 {
      let (first, second) = (reader.number(size: size), reader.number(size: size))
      if reader.isCutOff || first | second == 0 { return }
      budget -= 1
      if first == mark {
        base = second
      } else {
        ranges.append(base &+ first, base &+ second, rank)
      }
    }
  }

  /// .debug_rnglists (DWARF 5, 2.17.3 and 7.25): entries of a kind and its operands.
  private func addList(
    _ reader: inout ByteReader, _ start: UInt64, _ rank: Int32, _ budget: inout Int, _ ranges: inout [AddressMap.Range]
  ) {
    let size = Int(header.encoding.addressSize)
    var base = start
    while budget > 0, !reader.isCutOff {
      budget -= 1
      var range: (low: UInt64, high: UInt64)?
      switch Int(reader.byte()) {
      case Int(DW_RLE_base_addressx): base = address(numbered: reader.unsigned()) ?? 0
      case Int(DW_RLE_base_address): base = reader.number(size: size)
      case Int(DW_RLE_offset_pair): range = (base &+ reader.unsigned(), base &+ reader.unsigned())
      case Int(DW_RLE_start_end): range = (reader.number(size: size), reader.number(size: size))
      case Int(DW_RLE_start_length):
        let low = reader.number(size: size)
        range = (low, low &+ reader.unsigned())
      case Int(DW_RLE_startx_endx):
        range = (address(numbered: reader.unsigned()) ?? 0, address(numbered: reader.unsigned()) ?? 0)
      case Int(DW_RLE_startx_length):
        let low = address(numbered: reader.unsigned()) ?? 0
        range = (low, low &+ reader.unsigned())
      default: return
      }
      if let range, !reader.isCutOff { ranges.append(range.low, range.high, rank) }
    }
  }
}

extension [AddressMap.Range] {
  /// Adds a nonempty range.
  @inline(__always)
  fileprivate mutating func append(_ low: UInt64, _ high: UInt64, _ rank: Int32) {
    if low < high { append(AddressMap.Range(low: low, high: high, rank: rank)) }
  }
}
