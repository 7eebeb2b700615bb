import CElfutils

/// Reads lists of address ranges: .debug_ranges up to DWARF 4 (section 2.17.3), .debug_rnglists since 5 (7.25).
struct RangeListReader {
  private let unit: UnitReader

  init(unit: UnitReader) { self.unit = unit }

  /// Calls `body` with each range that an entry's attributes name; with none that a linker dropped.
  func read(
    low: UnitReader.Value, high: UnitReader.Value, list: UnitReader.Value, _ body: (_ low: UInt64, _ high: UInt64) -> Void
  ) {
    if let first = unit.address(low) {
      switch high {
      case .constant(let size), .offset(let size): check(first, first &+ size, body)
      default: if let last = unit.address(high) { check(first, last, body) }
      }
    }
    readList(list) { low, high in if low != 0, low < high { body(low, high) } }
  }

  /// Linkers leave what they dropped at address 0, or let it wrap around.
  private func check(_ low: UInt64, _ high: UInt64, _ body: (UInt64, UInt64) -> Void) {
    if low != 0, low < high { body(low, high) }
  }

  private func readList(_ value: UnitReader.Value, _ body: (_ low: UInt64, _ high: UInt64) -> Void) {
    switch value {
    case .offset(let offset):
      if unit.format.version >= 5 { readList(at: offset, body) } else { readPairs(at: offset, body) }
    case .listIndex(let index):
      let size = unit.format.offsetSize
      var reader = SectionReader(unit.sections.rangeLists, from: unit.rangeListBase &+ index &* UInt64(size))
      let offset = reader.number(size: size)
      if !reader.isCutOff { readList(at: unit.rangeListBase &+ offset, body) }
    default: break
    }
  }

  private func readPairs(at offset: UInt64, _ body: (UInt64, UInt64) -> Void) {
    let size = unit.format.addressSize
    let selectsBase = size == 4 ? 0xFFFF_FFFF : UInt64.max
    var reader = SectionReader(unit.sections.ranges, from: offset)
    var base = unit.lowAddress
    while unit.sections.spend(2 * size) {
      let low = reader.number(size: size)
      let high = reader.number(size: size)
      if reader.isCutOff || (low == 0 && high == 0) { return }
      if low == selectsBase { base = high } else { body(base &+ low, base &+ high) }
    }
  }

  private func readList(at offset: UInt64, _ body: (UInt64, UInt64) -> Void) {
    let size = unit.format.addressSize
    var reader = SectionReader(unit.sections.rangeLists, from: offset)
    var base: UInt64? = unit.lowAddress
    while unit.sections.spend(2) {
      let kind = Int(reader.byte())
      var low: UInt64?
      var high: UInt64?
      switch kind {
      case DW_RLE_base_addressx: base = unit.address(atIndex: reader.unsigned())
      case DW_RLE_base_address: base = reader.number(size: size)
      case DW_RLE_startx_endx:
        low = unit.address(atIndex: reader.unsigned())
        high = unit.address(atIndex: reader.unsigned())
      case DW_RLE_startx_length:
        low = unit.address(atIndex: reader.unsigned())
        let length = reader.unsigned()
        high = low.map { $0 &+ length }
      case DW_RLE_offset_pair:
        let (first, second) = (reader.unsigned(), reader.unsigned())
        low = base.map { $0 &+ first }
        high = base.map { $0 &+ second }
      case DW_RLE_start_end:
        low = reader.number(size: size)
        high = reader.number(size: size)
      case DW_RLE_start_length:
        low = reader.number(size: size)
        let length = reader.unsigned()
        high = low.map { $0 &+ length }
      default: return
      }
      if reader.isCutOff { return }
      if let low, let high { body(low, high) }
    }
  }
}
