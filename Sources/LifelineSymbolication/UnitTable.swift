import CElfutils

/// The units of one file, and its entries by position.
final class UnitTable {
  private struct Loaded {
    let unit: DebugUnit
    let abbreviations: AbbreviationTable
  }

  let sections: DebugSections
  /// Ascending.
  let headers: [UnitHeader]
  private var loaded: [Int: Loaded] = [:]
  private lazy var supplement = sections.supplement.map { UnitTable($0) }

  /// Reads the headers alone, from one to the next.
  init(_ sections: DebugSections) {
    self.sections = sections
    let count = sections.entries.count
    var headers: [UnitHeader] = []
    var start = 0
    while start < count {
      var reader = sections.entries.reader(start..<min(count, start + UnitHeader.maximumSize))
      guard let (end, offsetSize) = UnitHeader.length(&reader, sectionSize: count) else { break }
      if let header = UnitHeader(&reader, start: start, end: end, offsetSize: offsetSize) { headers.append(header) }
      start = end
    }
    self.headers = headers
  }

  /// A unit with its abbreviations, or nil when its first entry cannot be read.
  func unit(_ index: Int) -> (unit: DebugUnit, abbreviations: AbbreviationTable)? {
    if let known = loaded[index] { return (known.unit, known.abbreviations) }
    guard let unit = DebugUnit(sections, headers[index]) else { return nil }
    let abbreviations = unit.abbreviationTable()
    loaded[index] = Loaded(unit: unit, abbreviations: abbreviations)
    return (unit, abbreviations)
  }

  /// The entry at a position of .debug_info. O(log n) in units.
  func entry(at position: UInt64) -> (attributes: EntryAttributes, unit: DebugUnit)? {
    var low = 0
    var high = headers.count
    while low < high {
      let middle = (low + high) / 2
      if UInt64(headers[middle].firstEntry) <= position { low = middle + 1 } else { high = middle }
    }
    guard low > 0, position < UInt64(headers[low - 1].end), let (unit, abbreviations) = unit(low - 1) else { return nil }
    var reader = unit.reader(from: Int(position))
    return abbreviations.entry(reader.unsigned()).map { (abbreviations.attributes($0, &reader), unit) }
  }

  /// The linkage name of the function whose entry is at a position, else its plain name.
  ///
  /// What was inlined refers to the function's own entry, which may be in another unit and refer to its declaration.
  func functionName(at position: UInt64) -> UnsafePointer<CChar>? {
    var table = self
    var position = position
    var plain: UnsafePointer<CChar>?
    // A damaged file may refer in circles.
    for _ in 0..<16 {
      guard let (attributes, unit) = table.entry(at: position) else { break }
      if let name = unit.string(attributes.linkageName) { return name }
      plain = plain ?? unit.string(attributes.name)
      guard let next = unit.reference(attributes.abstractOrigin) ?? unit.reference(attributes.specification) else { break }
      if next.isInSupplement {
        guard let supplement = table.supplement else { break }
        table = supplement
      }
      position = next.position
    }
    return plain
  }
}
