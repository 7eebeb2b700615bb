import CElfutils

/// The abbreviations of a unit (DWARF 5, 7.5.3): the contents of each kind of entry, prepared for skipping quickly.
///
/// An entry's attributes become steps. Adjacent unused ones of known size are one step, so most entries take a single
/// addition.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class AbbreviationTable {
  private struct Step {
    var extent: AttributeForm.Extent
    /// Nil for skipped attributes.
    let slot: EntryAttributes.Slot?
    var form = AttributeForm(number: 0)
    var constant: Int64 = 0
  }

  /// The use of a kind of entry in symbolication.
  enum Role: UInt8 {
    case function, inlinedFunction
    /// A function without the location of its code.
    case declaration
    /// An entry with code, or the part that represents code in another file.
    case unit
    case parameter
    case other

    init(_ tag: UInt64, hasCode: Bool) {
      switch Int(truncatingIfNeeded: tag) {
      case Int(DW_TAG_subprogram): self = hasCode ? .function : .declaration
      case Int(DW_TAG_inlined_subroutine): self = .inlinedFunction
      case Int(DW_TAG_compile_unit), Int(DW_TAG_skeleton_unit): self = .unit
      case Int(DW_TAG_formal_parameter): self = .parameter
      default: self = .other
      }
    }
  }

  /// One kind of entry.
  struct Kind {
    let role: Role
    let hasChildren: Bool
    /// The size of all attributes; -1 if it varies.
    fileprivate let size: Int32
    fileprivate let firstStep: Int32
    fileprivate let endStep: Int32
  }

  private static let codeSlots: UInt32 =
    1 << UInt32(EntryAttributes.Slot.low.rawValue) | 1 << UInt32(EntryAttributes.Slot.ranges.rawValue)

  @exclusivity(unchecked) private var kinds: [Kind] = []
  @exclusivity(unchecked) private var steps: [Step] = []
  /// The codes if kind n does not have code n + 1, which is how compilers number them.
  @exclusivity(unchecked) private var positions: [UInt64: Int] = [:]
  let encoding: UnitHeader.Encoding

  /// Reads the table at a reader's position.
  init(_ reader: inout ByteReader, _ encoding: UnitHeader.Encoding) {
    self.encoding = encoding
    var codes: [UInt64] = []
    while !reader.isCutOff, steps.count < Int32.max {
      let code = reader.unsigned()
      guard code != 0, read(&reader) else { break }
      codes.append(code)
    }
    if codes != Array(1..<UInt64(codes.count + 1)) {
      positions = Dictionary(zip(codes, codes.indices)) { first, _ in first }
    }
  }

  /// False at an unreadable kind: the table ends before it.
  private func read(_ reader: inout ByteReader) -> Bool {
    let tag = reader.unsigned()
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
      // Values may take no bytes, so an endlessly repeated attribute must not be read each time.
      let slot = EntryAttributes.Slot(attribute).flatMap { seen & 1 << UInt32($0.rawValue) == 0 ? $0 : nil }
      if let slot {
        seen |= 1 << UInt32(slot.rawValue)
        steps.append(Step(extent: extent, slot: slot, form: form, constant: constant))
      } else {
        pass(extent, after: first)
      }
    }
    kinds.append(
      Kind(
        role: Role(tag, hasCode: seen & Self.codeSlots != 0), hasChildren: hasChildren,
        size: isFixed ? Int32(clamping: fixedSize) : -1,
        firstStep: Int32(clamping: first), endStep: Int32(clamping: steps.count)))
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

  /// The kind of entry with a code, or nil.
  @inline(__always)
  func kind(_ code: UInt64) -> Kind? {
    if positions.isEmpty { return code &- 1 < UInt64(kinds.count) ? kinds[Int(code &- 1)] : nil }
    return positions[code].map { kinds[$0] }
  }

  /// Skips the attributes of an entry.
  @inline(__always)
  func skip(_ kind: Kind, _ reader: inout ByteReader) {
    if kind.size >= 0 { reader.skip(UInt64(kind.size)) } else { skipSteps(kind, &reader) }
  }

  private func skipSteps(_ kind: Kind, _ reader: inout ByteReader) {
    for index in Int(kind.firstStep)..<Int(kind.endStep) {
      _ = steps[index].form.value(steps[index].extent, 0, &reader, encoding)
    }
  }

  /// Reads the attributes of an entry.
  func attributes<Sink: AttributeSink>(_ kind: Kind, _ reader: inout ByteReader) -> Sink {
    var result = Sink()
    for index in Int(kind.firstStep)..<Int(kind.endStep) {
      let step = steps[index]
      let value = step.form.value(step.extent, step.constant, &reader, encoding)
      if let slot = step.slot, let value { result.set(slot, value) }
    }
    return result
  }
}
