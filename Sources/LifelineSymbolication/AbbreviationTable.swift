import CElfutils

/// The shapes of the entries of one unit: DWARF 5, section 7.5.3.
struct AbbreviationTable {
  struct Attribute {
    let name: UInt32
    let form: UInt32
    /// The value of DW_FORM_implicit_const.
    let constant: Int64
  }

  struct Abbreviation {
    let tag: UInt32
    let hasChildren: Bool
    let attributes: Range<Int>
    /// Bytes of an entry after its code; nil when they differ from entry to entry.
    let size: UInt64?
  }

  private(set) var attributes: [Attribute] = []
  /// Compilers number from one without gaps.
  private var dense: [Abbreviation] = []
  private var sparse: [UInt64: Abbreviation] = [:]

  /// Reads a table, or its beginning up to the code that is needed.
  init(_ sections: DebugSections, at offset: UInt64, format: UnitFormat, upTo needed: UInt64 = .max) {
    var reader = SectionReader(sections.abbreviations, from: offset)
    let start = reader.position
    guard sections.spend(0) else { return }
    defer { _ = sections.spend(reader.position - start) }
    while !reader.isAtEnd {
      let code = reader.unsigned()
      if code == 0 { return }
      let tag = UInt32(truncatingIfNeeded: reader.unsigned())
      let hasChildren = reader.byte() != 0
      let first = attributes.count
      var size: UInt64? = 0
      while !reader.isAtEnd {
        let name = UInt32(truncatingIfNeeded: reader.unsigned())
        let form = UInt32(truncatingIfNeeded: reader.unsigned())
        let constant = form == UInt32(DW_FORM_implicit_const) ? reader.signed() : 0
        if name == 0, form == 0 { break }
        attributes.append(Attribute(name: name, form: form, constant: constant))
        if let sum = size { size = format.size(of: form).map { sum &+ $0 } }
      }
      let abbreviation = Abbreviation(tag: tag, hasChildren: hasChildren, attributes: first..<attributes.count, size: size)
      if code == UInt64(dense.count) + 1 { dense.append(abbreviation) } else { sparse[code] = abbreviation }
      if code == needed { return }
    }
  }

  @inline(__always)
  subscript(code: UInt64) -> Abbreviation? {
    code &- 1 < UInt64(dense.count) ? dense[Int(code &- 1)] : sparse[code]
  }
}
