import CElfutils

/// How the value of an attribute is encoded: DW_FORM_… (DWARF 5, 7.5.6; the GNU forms as in elfutils).
struct AttributeForm {
  let number: UInt16

  /// The length of a value.
  enum Extent {
    case fixed(Int)
    case leb128
    case signedLEB128
    case string
    /// A length of this many bytes, then that many bytes; 0 for a LEB128.
    case block(Int)
    /// The form itself precedes the value.
    case indirect
  }

  /// Nil for an unknown form: nothing after it can be read.
  func extent(_ encoding: UnitHeader.Encoding) -> Extent? {
    switch Int(number) {
    case Int(DW_FORM_flag_present), Int(DW_FORM_implicit_const): .fixed(0)
    case Int(DW_FORM_data1), Int(DW_FORM_ref1), Int(DW_FORM_flag), Int(DW_FORM_strx1), Int(DW_FORM_addrx1): .fixed(1)
    case Int(DW_FORM_data2), Int(DW_FORM_ref2), Int(DW_FORM_strx2), Int(DW_FORM_addrx2): .fixed(2)
    case Int(DW_FORM_strx3), Int(DW_FORM_addrx3): .fixed(3)
    case Int(DW_FORM_data4), Int(DW_FORM_ref4), Int(DW_FORM_ref_sup4), Int(DW_FORM_strx4), Int(DW_FORM_addrx4):
      .fixed(4)
    case Int(DW_FORM_data8), Int(DW_FORM_ref8), Int(DW_FORM_ref_sup8), Int(DW_FORM_ref_sig8): .fixed(8)
    case Int(DW_FORM_data16): .fixed(16)
    case Int(DW_FORM_addr): .fixed(Int(encoding.addressSize))
    // Version 2 used the size of an address for it.
    case Int(DW_FORM_ref_addr): .fixed(Int(encoding.version == 2 ? encoding.addressSize : encoding.offsetSize))
    case Int(DW_FORM_strp), Int(DW_FORM_line_strp), Int(DW_FORM_strp_sup), Int(DW_FORM_sec_offset),
      Int(DW_FORM_GNU_ref_alt),
      Int(DW_FORM_GNU_strp_alt):
      .fixed(Int(encoding.offsetSize))
    case Int(DW_FORM_udata), Int(DW_FORM_ref_udata), Int(DW_FORM_strx), Int(DW_FORM_addrx), Int(DW_FORM_loclistx),
      Int(DW_FORM_rnglistx), Int(DW_FORM_GNU_addr_index), Int(DW_FORM_GNU_str_index):
      .leb128
    case Int(DW_FORM_sdata): .signedLEB128
    case Int(DW_FORM_string): .string
    case Int(DW_FORM_block1): .block(1)
    case Int(DW_FORM_block2): .block(2)
    case Int(DW_FORM_block4): .block(4)
    case Int(DW_FORM_block), Int(DW_FORM_exprloc): .block(0)
    case Int(DW_FORM_indirect): .indirect
    default: nil
    }
  }

  /// Reads a value; nil, with the reader at its end, for an unknown form.
  func value(_ reader: inout ByteReader, _ encoding: UnitHeader.Encoding) -> EntryAttributes.Value? {
    extent(encoding).flatMap { value($0, 0, &reader, encoding) }
  }

  /// The same if the extent is known; `constant` is the value of DW_FORM_implicit_const, which is in the abbreviation.
  @inline(__always)
  func value(
    _ extent: Extent, _ constant: Int64, _ reader: inout ByteReader, _ encoding: UnitHeader.Encoding
  ) -> EntryAttributes.Value? {
    var number: UInt64 = 0
    switch extent {
    case .fixed(0): number = Int(self.number) == Int(DW_FORM_flag_present) ? 1 : UInt64(bitPattern: constant)
    // Other sizes are those of several values skipped together, or of an unused one.
    case .fixed(let size) where size <= 4 || size == 8: number = reader.number(size: size)
    case .fixed(let size): reader.skip(UInt64(size))
    case .leb128: number = reader.unsigned()
    case .signedLEB128: number = UInt64(bitPattern: reader.signed())
    case .string:
      number = UInt64(reader.position)
      reader.skipString()
    case .block(let size): reader.skip(size == 0 ? reader.unsigned() : reader.number(size: size))
    case .indirect: return Self.indirect(&reader, encoding)
    }
    return EntryAttributes.Value(form: self, number: number)
  }

  private static func indirect(_ reader: inout ByteReader, _ encoding: UnitHeader.Encoding) -> EntryAttributes.Value? {
    let form = AttributeForm(number: UInt16(truncatingIfNeeded: reader.unsigned()))
    // Nested indirection would allow endless nesting.
    guard Int(form.number) != Int(DW_FORM_indirect), let value = form.value(&reader, encoding) else {
      reader.skip(.max)
      return nil
    }
    return value
  }

  /// Whether a value is an address, directly or by number.
  var isAddress: Bool {
    let number = Int(number)
    return number == Int(DW_FORM_addr) || isAddressIndex
  }

  var isAddressIndex: Bool {
    let number = Int(number)
    return number == Int(DW_FORM_addrx) || number == Int(DW_FORM_GNU_addr_index)
      || (Int(DW_FORM_addrx1)...Int(DW_FORM_addrx4)).contains(number)
  }

  var isStringIndex: Bool {
    let number = Int(number)
    return number == Int(DW_FORM_strx) || number == Int(DW_FORM_GNU_str_index)
      || (Int(DW_FORM_strx1)...Int(DW_FORM_strx4)).contains(number)
  }

  /// Whether the text is in the entry itself.
  var isInline: Bool { Int(number) == Int(DW_FORM_string) }
}
