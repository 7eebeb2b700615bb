import CElfutils

/// One unit of .debug_info, which interprets the attributes of its entries.
///
/// An attribute may refer to tables whose position in their sections the unit's first entry specifies.
final class DebugUnit {
  let sections: DebugSections
  let header: UnitHeader
  /// The unit's first entry.
  let root: EntryAttributes
  let role: AbbreviationTable.Role
  private(set) lazy var abbreviations = sections.abbreviations.table(of: header)
  /// Positions of the unit's parts of .debug_addr and .debug_str_offsets.
  private let addressBase: UInt64
  private let stringOffsetsBase: UInt64
  let rangeListsBase: UInt64

  /// Nil if the first entry cannot be read.
  init?(_ sections: DebugSections, _ header: UnitHeader) {
    guard let first = sections.abbreviations.firstEntry(of: header, sections.entries) else { return nil }
    (role, root) = first
    self.sections = sections
    self.header = header
    // Without a base, it is the part of the only unit, after its header.
    let header = header.encoding.version >= 5 ? 2 * UInt64(header.encoding.offsetSize) : 0
    addressBase = root.addressBase.optional ?? (header == 0 ? 0 : header)
    stringOffsetsBase = root.stringOffsetsBase.optional ?? header
    rangeListsBase = root.rangeListsBase.optional ?? (header == 0 ? 0 : header + 4)
  }

  /// A reader of the unit's entries, from a position on.
  func reader(from position: Int) -> ByteReader { sections.entries.reader(position..<max(position, header.end)) }

  /// The attributes of the entry at a position within the unit, or nil.
  func attributes(at position: Int) -> EntryAttributes? {
    var reader = reader(from: position)
    return abbreviations.kind(reader.unsigned()).map { abbreviations.attributes($0, &reader) }
  }

  /// The attributes of the first entry in the one at a position, or nil.
  func firstChild(ofEntryAt position: Int) -> EntryAttributes? {
    var reader = reader(from: position)
    guard let kind = abbreviations.kind(reader.unsigned()), kind.hasChildren else { return nil }
    abbreviations.skip(kind, &reader)
    return attributes(at: reader.position)
  }

  func address(_ value: EntryAttributes.Value) -> UInt64? {
    guard value.isPresent, value.form.isAddress else { return nil }
    return value.form.isAddressIndex ? address(numbered: value.number) : value.number
  }

  func address(numbered index: UInt64) -> UInt64? {
    Self.number(index, size: Int(header.encoding.addressSize), in: sections.addresses, from: addressBase)
  }

  /// A text, wherever the form locates it; it lives as long as the sections.
  func string(_ value: EntryAttributes.Value) -> UnsafeBufferPointer<UInt8>? {
    switch Int(value.form.number) {
    case Int(DW_FORM_string): return sections.entries.string(at: value.number)
    case Int(DW_FORM_strp): return sections.strings.string(at: value.number)
    case Int(DW_FORM_line_strp): return sections.lineStrings.string(at: value.number)
    case Int(DW_FORM_GNU_strp_alt), Int(DW_FORM_strp_sup): return sections.supplement?.strings.string(at: value.number)
    default:
      guard value.isPresent, value.form.isStringIndex else { return nil }
      return Self.number(
        value.number, size: Int(header.encoding.offsetSize), in: sections.stringOffsets, from: stringOffsetsBase
      )
      .flatMap { sections.strings.string(at: $0) }
    }
  }

  /// The position of the entry that an attribute refers to, here or in the supplementary file.
  func reference(_ value: EntryAttributes.Value) -> (position: UInt64, isInSupplement: Bool)? {
    switch Int(value.form.number) {
    case Int(DW_FORM_ref1), Int(DW_FORM_ref2), Int(DW_FORM_ref4), Int(DW_FORM_ref8), Int(DW_FORM_ref_udata):
      (UInt64(header.start) &+ value.number, false)
    case Int(DW_FORM_ref_addr): (value.number, false)
    case Int(DW_FORM_GNU_ref_alt), Int(DW_FORM_ref_sup4), Int(DW_FORM_ref_sup8): (value.number, true)
    default: nil
    }
  }

  /// The number at an index of a table that begins at `base` in a section.
  static func number(_ index: UInt64, size: Int, in section: SectionBytes, from base: UInt64) -> UInt64? {
    let (offset, overflow) = index.multipliedReportingOverflow(by: UInt64(size))
    let position = base &+ offset
    guard !overflow, position >= base, position < UInt64(section.count), section.count - Int(position) >= size else {
      return nil
    }
    var reader = section.reader(Int(position)..<Int(position) + size)
    return reader.number(size: size)
  }
}
