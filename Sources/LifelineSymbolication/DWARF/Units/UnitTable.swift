/// The units of one file, and its entries by position.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class UnitTable {
  let sections: DebugSections
  /// Ascending.
  let headers: [UnitHeader]
  @exclusivity(unchecked) private var loaded: [Int: DebugUnit] = [:]
  @exclusivity(unchecked) private var functionNames: [UInt64: EntryName] = [:]
  private lazy var supplement = sections.supplement.map { UnitTable($0) }

  /// Reads only the headers, one after another.
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

  /// A unit, or nil if its first entry cannot be read.
  func unit(_ index: Int) -> DebugUnit? {
    if let known = loaded[index] { return known }
    let unit = DebugUnit(sections, headers[index])
    loaded[index] = unit
    return unit
  }

  /// The unit that contains a position of .debug_info. O(log n).
  private func unit(around position: UInt64) -> DebugUnit? {
    var low = 0
    var high = headers.count
    while low < high {
      let middle = (low + high) / 2
      if UInt64(headers[middle].firstEntry) <= position { low = middle + 1 } else { high = middle }
    }
    return low > 0 && position < UInt64(headers[low - 1].end) ? unit(low - 1) : nil
  }

  /// The name of a function whose entry has these attributes.
  ///
  /// An inlined function, and the definition of a declared one, refer to another entry, perhaps in another unit.
  func functionName(_ attributes: EntryAttributes, in unit: DebugUnit, _ texts: StringTable, depth: Int = 0)
    -> EntryName
  {
    if let linkage = unit.string(attributes.linkageName) {
      return EntryName(text: texts.number(of: linkage), isLinkage: true)
    }
    var other = EntryName()
    // References in a damaged file may be circular or endless.
    if depth < 16, let origin = unit.reference(attributes.abstractOrigin) ?? unit.reference(attributes.specification),
      let table = origin.isInSupplement ? supplement : self
    {
      other = table.functionName(at: origin.position, from: unit, texts, depth: depth + 1)
    }
    guard !other.isLinkage, let plain = unit.string(attributes.name) else { return other }
    return EntryName(text: texts.number(of: plain))
  }

  /// The same for the entry at a position; cached, because a function is inlined in many places, most of them in its
  /// own unit.
  private func functionName(at position: UInt64, from other: DebugUnit, _ texts: StringTable, depth: Int) -> EntryName {
    if let known = functionNames[position] { return known }
    let isNear =
      other.sections === sections && (other.header.firstEntry..<other.header.end).contains(Int(clamping: position))
    guard let unit = isNear ? other : unit(around: position), let attributes = unit.attributes(at: Int(position)) else {
      return EntryName()
    }
    let name = functionName(attributes, in: unit, texts, depth: depth)
    functionNames[position] = name
    return name
  }
}
