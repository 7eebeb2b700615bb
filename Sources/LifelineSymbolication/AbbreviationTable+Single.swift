import CElfutils

extension AbbreviationTable {
  /// Reads one entry without the table: its abbreviation is looked for among the declarations, from the first on.
  ///
  /// For the first entry of a unit that may never be asked for; compilers declare its abbreviation first.
  static func entry(
    _ reader: inout ByteReader, declarations: inout ByteReader, _ encoding: UnitHeader.Encoding
  ) -> (tag: UInt32, attributes: EntryAttributes)? {
    let wanted = reader.unsigned()
    guard wanted != 0 else { return nil }
    while !declarations.isCutOff {
      let code = declarations.unsigned()
      guard code != 0 else { return nil }
      let tag = UInt32(truncatingIfNeeded: declarations.unsigned())
      _ = declarations.byte()
      var attributes = EntryAttributes()
      while !declarations.isCutOff {
        let attribute = declarations.unsigned()
        let form = AttributeForm(number: UInt16(truncatingIfNeeded: declarations.unsigned()))
        if attribute == 0, form.number == 0 { break }
        let constant = Int(form.number) == Int(DW_FORM_implicit_const) ? declarations.signed() : 0
        guard code == wanted else { continue }
        guard let extent = form.extent(encoding), let value = form.value(extent, constant, &reader, encoding) else { return nil }
        if let slot = EntryAttributes.Slot(attribute) { attributes.set(slot, value) }
      }
      if code == wanted { return declarations.isCutOff ? nil : (tag, attributes) }
    }
    return nil
  }
}
