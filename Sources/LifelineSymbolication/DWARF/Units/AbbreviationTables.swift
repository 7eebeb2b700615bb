import CElfutils

/// The abbreviation tables of one file, each read once.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class AbbreviationTables {
  private let section: SectionBytes
  @exclusivity(unchecked) private var tables: [UInt64: AbbreviationTable] = [:]
  /// Where declarations were last searched for without reading the whole table.
  @exclusivity(unchecked) private var last: UInt64?
  /// Bytes that may still be read this way: many units of a hostile file may have theirs at the end of a long table.
  @exclusivity(unchecked) private var budget = 1 << 28

  init(_ section: SectionBytes) { self.section = section }

  /// The table of a unit; empty if it cannot be read.
  func table(of header: UnitHeader) -> AbbreviationTable {
    if let known = tables[header.abbreviations], known.encoding == header.encoding { return known }
    let start = Int(clamping: header.abbreviations)
    let table = section.read(at: min(start, section.count), expected: 4096) { AbbreviationTable(&$0, header.encoding) }
    tables[header.abbreviations] = table
    return table
  }

  /// The first entry of a unit, which may be all that is needed; its table is only read if another unit shares it.
  func firstEntry(of header: UnitHeader, _ entries: SectionBytes) -> (
    role: AbbreviationTable.Role, attributes: EntryAttributes
  )? {
    if header.abbreviations != last, tables[header.abbreviations] == nil {
      last = header.abbreviations
      return entries.read(at: header.firstEntry, expected: 256) { entry(&$0, header) }
    }
    let table = table(of: header)
    return entries.read(at: header.firstEntry, expected: 256) { reader in
      table.kind(reader.unsigned()).map { ($0.role, table.attributes($0, &reader)) }
    }
  }

  /// Reads an entry without the table, by searching for its abbreviation among the declarations.
  private func entry(_ reader: inout ByteReader, _ header: UnitHeader) -> (
    role: AbbreviationTable.Role, attributes: EntryAttributes
  )? {
    guard budget > 0, header.abbreviations < UInt64(section.count) else { return nil }
    let start = reader
    return section.read(at: Int(header.abbreviations), expected: 1024) { declarations in
      reader = start
      let first = declarations.position
      defer { budget -= declarations.position - first }
      return Self.entry(&reader, &declarations, header.encoding)
    }
  }

  private static func entry(
    _ reader: inout ByteReader, _ declarations: inout ByteReader, _ encoding: UnitHeader.Encoding
  ) -> (role: AbbreviationTable.Role, attributes: EntryAttributes)? {
    let wanted = reader.unsigned()
    while !declarations.isCutOff {
      let code = declarations.unsigned()
      guard code != 0 else { return nil }
      let tag = declarations.unsigned()
      _ = declarations.byte()
      var attributes = EntryAttributes()
      while !declarations.isCutOff {
        let attribute = declarations.unsigned()
        let form = AttributeForm(number: UInt16(truncatingIfNeeded: declarations.unsigned()))
        if attribute == 0, form.number == 0 { break }
        let constant = Int(form.number) == Int(DW_FORM_implicit_const) ? declarations.signed() : 0
        guard code == wanted else { continue }
        guard let extent = form.extent(encoding), let value = form.value(extent, constant, &reader, encoding) else {
          return nil
        }
        if let slot = EntryAttributes.Slot(attribute) { attributes.set(slot, value) }
      }
      if code == wanted {
        return declarations.isCutOff ? nil : (AbbreviationTable.Role(tag, hasCode: true), attributes)
      }
    }
    return nil
  }
}
