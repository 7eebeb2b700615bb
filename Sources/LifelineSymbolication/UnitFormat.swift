import CElfutils

/// What a unit's header says about the size of its fields.
struct UnitFormat {
  let version: Int
  let addressSize: Int
  /// 4, or 8 in 64-bit DWARF.
  let offsetSize: Int

  /// Bytes of a value, nil when the value itself says: DWARF 5, section 7.5.6.
  func size(of form: UInt32) -> UInt64? {
    switch Int(form) {
    case DW_FORM_flag_present, DW_FORM_implicit_const: 0
    case DW_FORM_data1, DW_FORM_ref1, DW_FORM_flag, DW_FORM_strx1, DW_FORM_addrx1: 1
    case DW_FORM_data2, DW_FORM_ref2, DW_FORM_strx2, DW_FORM_addrx2: 2
    case DW_FORM_strx3, DW_FORM_addrx3: 3
    case DW_FORM_data4, DW_FORM_ref4, DW_FORM_strx4, DW_FORM_addrx4, DW_FORM_ref_sup4: 4
    case DW_FORM_data8, DW_FORM_ref8, DW_FORM_ref_sig8, DW_FORM_ref_sup8: 8
    case DW_FORM_data16: 16
    case DW_FORM_addr: UInt64(addressSize)
    case DW_FORM_ref_addr: UInt64(version <= 2 ? addressSize : offsetSize)
    case DW_FORM_strp, DW_FORM_line_strp, DW_FORM_sec_offset, DW_FORM_strp_sup, DW_FORM_GNU_strp_alt,
      DW_FORM_GNU_ref_alt:
      UInt64(offsetSize)
    default: nil
    }
  }

  /// Steps over a value; false for a form that nobody has defined.
  func skip(_ form: UInt32, _ reader: inout SectionReader) -> Bool {
    if let size = size(of: form) {
      reader.skip(size)
      return true
    }
    switch Int(form) {
    case DW_FORM_sdata, DW_FORM_udata, DW_FORM_ref_udata, DW_FORM_strx, DW_FORM_addrx,
      DW_FORM_loclistx, DW_FORM_rnglistx, DW_FORM_GNU_addr_index, DW_FORM_GNU_str_index:
      _ = reader.unsigned()
    case DW_FORM_block1: reader.skip(reader.number(size: 1))
    case DW_FORM_block2: reader.skip(reader.number(size: 2))
    case DW_FORM_block4: reader.skip(reader.number(size: 4))
    case DW_FORM_block, DW_FORM_exprloc: reader.skip(reader.unsigned())
    case DW_FORM_string: reader.skipText()
    case DW_FORM_indirect:
      let actual = UInt32(truncatingIfNeeded: reader.unsigned())
      return actual != UInt32(DW_FORM_indirect) && skip(actual, &reader)
    default: return false
    }
    return true
  }
}
