import CElfutils

/// The abbreviations of a unit (DWARF 5, 7.5.3): what each kind of entry consists of, prepared for passing over quickly.
///
/// An entry's attributes become steps. Neighbours that nobody asks for and whose size is known are one step, so that
/// most entries take a single addition.
final class AbbreviationTable {
  private struct Step {
    var extent: AttributeForm.Extent
    /// Nil for what is passed over.
    let slot: EntryAttributes.Slot?
    var form = AttributeForm(number: 0)
    var constant: Int64 = 0
  }

  struct Entry {
    let code: UInt64
    let tag: UInt32
    let hasChildren: Bool
    /// Whether entries of this kind may say where their code is.
    let hasCode: Bool
    /// The size of all attributes when none varies, else -1.
    let fixedSize: Int
    fileprivate let steps: Range<Int>
  }

  private static let codeSlots: UInt32 = 1 << UInt32(EntryAttributes.Slot.low.rawValue) | 1 << UInt32(EntryAttributes.Slot.ranges.rawValue)

  private var entries: [Entry] = []
  private var steps: [Step] = []
  /// Whether entry n has code n + 1, as compilers number them.
  private var isNumbered = true
  private var positions: [UInt64: Int] = [:]
  private let encoding: UnitHeader.Encoding

  /// Reads the table at a reader's position.
  init(_ reader: inout ByteReader, _ encoding: UnitHeader.Encoding) {
    self.encoding = encoding
    while !reader.isCutOff {
      let code = reader.unsigned()
      guard code != 0, read(code, &reader) else { break }
    }
    if !isNumbered { positions = Dictionary(entries.indices.map { (entries[$0].code, $0) }) { first, _ in first } }
  }

  /// False at an entry that cannot be read: the table ends before it.
  private func read(_ code: UInt64, _ reader: inout ByteReader) -> Bool {
    let tag = UInt32(truncatingIfNeeded: reader.unsigned())
    let hasChildren = reader.byte() != 0
    let first = steps.count
    var fixedSize = 0
    var isFixed = true
    var seen: UInt32 = 0
    while true {
      let attribute = reader.unsigned()
      let form = AttributeForm(number: UInt16(truncatingIfNeeded: reader.unsigned()))
      if reader.isCutOff { return false }
      if attribute == 0, form.number == 0 { break }
      let constant = Int(form.number) == Int(DW_FORM_implicit_const) ? reader.signed() : 0
      guard let extent = form.extent(encoding) else { return false }
      if case .fixed(let size) = extent { fixedSize += size } else { isFixed = false }
      // Values may take no bytes, so an attribute that is repeated without end must not be read each time.
      let slot = EntryAttributes.Slot(attribute).flatMap { seen & 1 << UInt32($0.rawValue) == 0 ? $0 : nil }
      if let slot {
        seen |= 1 << UInt32(slot.rawValue)
        steps.append(Step(extent: extent, slot: slot, form: form, constant: constant))
      } else {
        pass(extent, after: first)
      }
    }
    if code != UInt64(entries.count) + 1 { isNumbered = false }
    entries.append(
      Entry(
        code: code, tag: tag, hasChildren: hasChildren, hasCode: seen & Self.codeSlots != 0, fixedSize: isFixed ? fixedSize : -1,
        steps: first..<steps.count))
    return true
  }

  private func pass(_ extent: AttributeForm.Extent, after first: Int) {
    if case .fixed(let size) = extent, steps.count > first, steps[steps.count - 1].slot == nil,
      case .fixed(let before) = steps[steps.count - 1].extent
    {
      steps[steps.count - 1].extent = .fixed(before + size)
    } else {
      steps.append(Step(extent: extent, slot: nil))
    }
  }

  /// The entry with a code, or nil.
  @inline(__always)
  func entry(_ code: UInt64) -> Entry? {
    if isNumbered { return code &- 1 < UInt64(entries.count) ? entries[Int(code &- 1)] : nil }
    return positions[code].map { entries[$0] }
  }

  /// Passes over the attributes of an entry.
  @inline(__always)
  func skip(_ entry: Entry, _ reader: inout ByteReader) {
    if entry.fixedSize >= 0 { reader.skip(UInt64(entry.fixedSize)) } else { skipSteps(entry, &reader) }
  }

  private func skipSteps(_ entry: Entry, _ reader: inout ByteReader) {
    for index in entry.steps { _ = steps[index].form.value(steps[index].extent, 0, &reader, encoding) }
  }

  /// Reads the attributes of an entry.
  func attributes<Sink: AttributeSink>(_ entry: Entry, _ reader: inout ByteReader) -> Sink {
    var result = Sink()
    for index in entry.steps {
      let step = steps[index]
      let value = step.form.value(step.extent, step.constant, &reader, encoding)
      if let slot = step.slot, let value { result.set(slot, value) }
    }
    return result
  }
}
