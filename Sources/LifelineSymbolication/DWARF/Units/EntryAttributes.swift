import CElfutils

/// The attributes of a debugging information entry that symbolication needs, in encoded form.
struct EntryAttributes: AttributeSink {
  /// An attribute's form and the number in it.
  struct Value {
    var form = AttributeForm(number: 0)
    /// For DW_FORM_string the string's position; 0 for blocks.
    var number: UInt64 = 0

    var isPresent: Bool { form.number != 0 }

    /// The number, or nil if the entry lacks the attribute.
    var optional: UInt64? { isPresent ? number : nil }
  }

  enum Slot: UInt8 {
    case low, high, ranges, linkageName, name, abstractOrigin, specification, callFile, callLine, callColumn
    case declarationFile, declarationLine, type
    case lines, folder, optimized, addressBase, stringOffsetsBase, rangeListsBase

    /// DW_AT_APPLE_optimized, which LLVM writes on every system.
    private static let appleOptimized = 0x3FE1

    /// Nil for an unused attribute, DW_AT_…
    init?(_ attribute: UInt64) {
      switch Int(truncatingIfNeeded: attribute) {
      case Int(DW_AT_low_pc): self = .low
      case Int(DW_AT_high_pc): self = .high
      case Int(DW_AT_ranges): self = .ranges
      case Int(DW_AT_linkage_name), Int(DW_AT_MIPS_linkage_name): self = .linkageName
      case Int(DW_AT_name): self = .name
      case Int(DW_AT_abstract_origin): self = .abstractOrigin
      case Int(DW_AT_specification): self = .specification
      case Int(DW_AT_call_file): self = .callFile
      case Int(DW_AT_call_line): self = .callLine
      case Int(DW_AT_call_column): self = .callColumn
      case Int(DW_AT_decl_file): self = .declarationFile
      case Int(DW_AT_decl_line): self = .declarationLine
      case Int(DW_AT_type): self = .type
      case Int(DW_AT_stmt_list): self = .lines
      case Int(DW_AT_comp_dir): self = .folder
      case Self.appleOptimized: self = .optimized
      case Int(DW_AT_addr_base), Int(DW_AT_GNU_addr_base): self = .addressBase
      case Int(DW_AT_str_offsets_base): self = .stringOffsetsBase
      case Int(DW_AT_rnglists_base): self = .rangeListsBase
      default: return nil
      }
    }
  }

  private(set) var code = CodeAttributes()
  private(set) var linkageName = Value()
  private(set) var name = Value()
  private(set) var abstractOrigin = Value()
  private(set) var specification = Value()
  private(set) var callFile = Value()
  private(set) var callLine = Value()
  private(set) var callColumn = Value()
  private(set) var declarationFile = Value()
  private(set) var declarationLine = Value()
  private(set) var type = Value()
  private(set) var lines = Value()
  private(set) var folder = Value()
  private(set) var optimized = Value()
  private(set) var addressBase = Value()
  private(set) var stringOffsetsBase = Value()
  private(set) var rangeListsBase = Value()

  @inline(__always)
  mutating func set(_ slot: Slot, _ value: Value) {
    switch slot {
    case .low, .high, .ranges: code.set(slot, value)
    case .linkageName: linkageName = value
    case .name: name = value
    case .abstractOrigin: abstractOrigin = value
    case .specification: specification = value
    case .callFile: callFile = value
    case .callLine: callLine = value
    case .callColumn: callColumn = value
    case .declarationFile: declarationFile = value
    case .declarationLine: declarationLine = value
    case .type: type = value
    case .lines: lines = value
    case .folder: folder = value
    case .optimized: optimized = value
    case .addressBase: addressBase = value
    case .stringOffsetsBase: stringOffsetsBase = value
    case .rangeListsBase: rangeListsBase = value
    }
  }
}
