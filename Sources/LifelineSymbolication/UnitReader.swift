import CElfutils

/// Reads the entries of one compilation unit from the bytes of .debug_info.
///
/// libdw reads them too, but it takes a lock for each attribute and walks a subtree again for each sibling: that made
/// up half the time of symbolicating a large program.
final class UnitReader {
  /// An attribute's value, by what its number means.
  enum Value {
    case address(UInt64)
    case addressIndex(UInt64)
    case constant(UInt64)
    /// Offset of an entry in .debug_info.
    case entry(UInt64)
    case offset(UInt64)
    case listIndex(UInt64)
    /// Offsets in .debug_info itself, .debug_str and .debug_line_str.
    case ownText(UInt64)
    case text(UInt64)
    case lineText(UInt64)
    case textIndex(UInt64)
    case other
  }

  let sections: DebugSections
  let format: UnitFormat
  private let abbreviationOffset: UInt64
  /// Where the unit's header, its first entry and its end are in .debug_info.
  let start: UInt64
  let entries: UInt64
  let end: UInt64
  private(set) var lowAddress: UInt64 = 0
  /// The attributes that say where the unit's code is.
  private(set) var low: Value = .other
  private(set) var high: Value = .other
  private(set) var list: Value = .other
  private(set) var folder: UnsafePointer<CChar>?
  /// Offset in .debug_line.
  private(set) var lineTable: UInt64?
  private(set) var addressBase: UInt64
  private(set) var rangeListBase: UInt64
  private var stringOffsetBase: UInt64
  let isPartial: Bool

  /// The whole table is read only for units in which something is looked for.
  private(set) lazy var abbreviations = AbbreviationTable(sections, at: abbreviationOffset, format: format)
  private(set) lazy var functions = FunctionTable(self)
  private(set) lazy var lines = LineTable(self)

  /// Reads the header and the first entry, and moves `position` past the unit.
  ///
  /// Nil when the header or the first entry is damaged, or the unit is of a kind that holds no code.
  init?(_ sections: DebugSections, at position: inout UInt64) {
    let offset = position
    var reader = SectionReader(sections.info, from: offset)
    var length = reader.number(size: 4)
    let isLong = length == 0xFFFF_FFFF
    if isLong { length = reader.number(size: 8) }
    reader.limit(to: length)
    let end = UInt64(reader.end)
    // A length of nothing would not get us further.
    position = reader.isCutOff ? .max : max(end, offset + 1)
    let version = Int(reader.number(size: 2))
    guard (2...5).contains(version) else { return nil }
    let offsetSize = isLong ? 8 : 4
    let addressSize: Int
    var kind = DW_UT_compile
    if version >= 5 {
      kind = Int(reader.byte())
      addressSize = Int(reader.byte())
      abbreviationOffset = reader.number(size: offsetSize)
    } else {
      abbreviationOffset = reader.number(size: offsetSize)
      addressSize = Int(reader.byte())
    }
    guard kind == DW_UT_compile || kind == DW_UT_partial || kind == DW_UT_skeleton else { return nil }
    if kind == DW_UT_skeleton { reader.skip(8) }
    guard addressSize == 4 || addressSize == 8, !reader.isCutOff else { return nil }
    format = UnitFormat(version: version, addressSize: addressSize, offsetSize: offsetSize)
    self.sections = sections
    self.end = end
    start = offset
    entries = UInt64(reader.position)
    // The bases of DWARF 5 lie behind the header of their section unless the unit says otherwise.
    addressBase = UInt64(offsetSize) * 2
    stringOffsetBase = UInt64(offsetSize) * 2
    rangeListBase = UInt64(offsetSize) * 2 + 4
    var first = SectionReader(sections.info, from: entries)
    let code = first.unsigned()
    let table = AbbreviationTable(sections, at: abbreviationOffset, format: format, upTo: code)
    guard let abbreviation = table[code] else { return nil }
    isPartial = abbreviation.tag == DW_TAG_partial_unit
    guard isPartial || abbreviation.tag == DW_TAG_compile_unit || abbreviation.tag == DW_TAG_skeleton_unit,
      readFirstEntry(table.attributes[abbreviation.attributes], from: UInt64(first.position))
    else { return nil }
  }

  private func readFirstEntry(_ attributes: ArraySlice<AbbreviationTable.Attribute>, from position: UInt64) -> Bool {
    var reader = entryReader(at: position)
    var directory = Value.other
    for attribute in attributes {
      guard let value = value(of: attribute, &reader) else { return false }
      switch (Int(attribute.name), value) {
      case (DW_AT_addr_base, .offset(let base)), (DW_AT_GNU_addr_base, .offset(let base)): addressBase = base
      case (DW_AT_str_offsets_base, .offset(let base)): stringOffsetBase = base
      case (DW_AT_rnglists_base, .offset(let base)): rangeListBase = base
      case (DW_AT_low_pc, _): low = value
      case (DW_AT_high_pc, _): high = value
      case (DW_AT_ranges, _): list = value
      case (DW_AT_comp_dir, _): directory = value
      case (DW_AT_stmt_list, .offset(let offset)): lineTable = offset
      default: break
      }
    }
    // Indices wait for the bases, which may come after them.
    lowAddress = address(low) ?? 0
    folder = text(directory)
    return !reader.isCutOff
  }

  func entryReader(at offset: UInt64) -> SectionReader {
    var reader = SectionReader(sections.info, from: offset)
    if end > offset { reader.limit(to: end - offset) } else { reader.limit(to: 0) }
    return reader
  }

  /// Reads one attribute; nil when the form is unknown and nothing after it can be read.
  func value(of attribute: AbbreviationTable.Attribute, _ reader: inout SectionReader) -> Value? {
    value(form: attribute.form, constant: attribute.constant, format, &reader)
  }

  /// The same for a value in a table with sizes of its own.
  func value(form: UInt32, constant: Int64, _ format: UnitFormat, _ reader: inout SectionReader) -> Value? {
    switch Int(form) {
    case DW_FORM_addr: return .address(reader.number(size: format.addressSize))
    case DW_FORM_addrx, DW_FORM_GNU_addr_index: return .addressIndex(reader.unsigned())
    case DW_FORM_addrx1: return .addressIndex(reader.number(size: 1))
    case DW_FORM_addrx2: return .addressIndex(reader.number(size: 2))
    case DW_FORM_addrx3: return .addressIndex(reader.number(size: 3))
    case DW_FORM_addrx4: return .addressIndex(reader.number(size: 4))
    case DW_FORM_data1: return .constant(reader.number(size: 1))
    case DW_FORM_data2: return .constant(reader.number(size: 2))
    // Before version 4 these were offsets as well.
    case DW_FORM_data4: return format.version < 4 ? .offset(reader.number(size: 4)) : .constant(reader.number(size: 4))
    case DW_FORM_data8: return format.version < 4 ? .offset(reader.number(size: 8)) : .constant(reader.number(size: 8))
    case DW_FORM_udata: return .constant(reader.unsigned())
    case DW_FORM_sdata: return .constant(UInt64(bitPattern: reader.signed()))
    case DW_FORM_implicit_const: return .constant(UInt64(bitPattern: constant))
    case DW_FORM_ref1: return .entry(start &+ reader.number(size: 1))
    case DW_FORM_ref2: return .entry(start &+ reader.number(size: 2))
    case DW_FORM_ref4: return .entry(start &+ reader.number(size: 4))
    case DW_FORM_ref8: return .entry(start &+ reader.number(size: 8))
    case DW_FORM_ref_udata: return .entry(start &+ reader.unsigned())
    case DW_FORM_ref_addr: return .entry(reader.number(size: format.version <= 2 ? format.addressSize : format.offsetSize))
    case DW_FORM_sec_offset: return .offset(reader.number(size: format.offsetSize))
    case DW_FORM_rnglistx: return .listIndex(reader.unsigned())
    case DW_FORM_string: 
      let offset = UInt64(reader.position)
      reader.skipText()
      return .ownText(offset)
    case DW_FORM_strp: return .text(reader.number(size: format.offsetSize))
    case DW_FORM_line_strp: return .lineText(reader.number(size: format.offsetSize))
    case DW_FORM_strx, DW_FORM_GNU_str_index: return .textIndex(reader.unsigned())
    case DW_FORM_strx1: return .textIndex(reader.number(size: 1))
    case DW_FORM_strx2: return .textIndex(reader.number(size: 2))
    case DW_FORM_strx3: return .textIndex(reader.number(size: 3))
    case DW_FORM_strx4: return .textIndex(reader.number(size: 4))
    case DW_FORM_indirect:
      let actual = UInt32(truncatingIfNeeded: reader.unsigned())
      return actual == form ? nil : value(form: actual, constant: 0, format, &reader)
    default: return format.skip(form, &reader) ? .other : nil
    }
  }

  /// The text of a value, or nil; one longer than any name counts as damage.
  func text(_ value: Value) -> UnsafePointer<CChar>? {
    var reader: SectionReader
    switch value {
    case .ownText(let offset): reader = SectionReader(sections.info, from: offset)
    case .text(let offset): reader = SectionReader(sections.strings, from: offset)
    case .lineText(let offset): reader = SectionReader(sections.lineStrings, from: offset)
    case .textIndex(let index):
      var offsets = SectionReader(sections.stringOffsets, from: stringOffsetBase &+ index &* UInt64(format.offsetSize))
      reader = SectionReader(sections.strings, from: offsets.number(size: format.offsetSize))
    default: return nil
    }
    reader.limit(to: 1 << 16)
    let start = reader.position
    let text = reader.text()
    return sections.spend(reader.position - start) ? text : nil
  }

  func address(_ value: Value) -> UInt64? {
    switch value {
    case .address(let address): return address
    case .addressIndex(let index): return address(atIndex: index)
    default: return nil
    }
  }

  func address(atIndex index: UInt64) -> UInt64? {
    var reader = SectionReader(sections.addresses, from: addressBase &+ index &* UInt64(format.addressSize))
    let address = reader.number(size: format.addressSize)
    return reader.isCutOff ? nil : address
  }
}
