import CElfutils

/// The header of a unit in .debug_info (DWARF 5, 7.5.1; before version 5 without a type).
struct UnitHeader {
  /// Positions in .debug_info.
  let start: Int
  let firstEntry: Int
  let end: Int
  let abbreviations: UInt64
  let encoding: Encoding
  /// Compile, partial, skeleton or type units: DW_UT_….
  let type: UInt8

  /// How the entries of a unit are encoded.
  struct Encoding: Hashable {
    let version: UInt16
    let addressSize: UInt8
    /// 4, or 8 in the 64-bit format.
    let offsetSize: UInt8
  }

  /// The longest possible header: 64-bit format, with a type's signature and offset.
  static let maximumSize = 40

  /// The end of the unit that starts at a reader's position, within the section; nil if the length is invalid.
  static func length(_ reader: inout ByteReader, sectionSize: Int) -> (end: Int, offsetSize: UInt8)? {
    let short = reader.fixed(UInt32.self)
    guard short < 0xFFFF_FFF0 || short == 0xFFFF_FFFF else { return nil }
    let length = short == 0xFFFF_FFFF ? reader.fixed(UInt64.self) : UInt64(short)
    guard !reader.isCutOff, length <= UInt64(sectionSize - reader.position) else { return nil }
    return (reader.position + Int(length), short == 0xFFFF_FFFF ? 8 : 4)
  }

  /// Nil unless a unit of a known version begins there; `end` is where the next one does.
  init?(_ reader: inout ByteReader, start: Int, end: Int, offsetSize: UInt8) {
    let version = reader.fixed(UInt16.self)
    guard (2...5).contains(version) else { return nil }
    var type = UInt8(DW_UT_compile)
    let addressSize: UInt8
    if version >= 5 {
      type = reader.byte()
      addressSize = reader.byte()
      abbreviations = reader.number(size: Int(offsetSize))
    } else {
      abbreviations = reader.number(size: Int(offsetSize))
      addressSize = reader.byte()
    }
    if type == UInt8(DW_UT_skeleton) || type == UInt8(DW_UT_split_compile) { reader.skip(8) }
    if type == UInt8(DW_UT_type) || type == UInt8(DW_UT_split_type) { reader.skip(8 + UInt64(offsetSize)) }
    guard !reader.isCutOff, addressSize == 4 || addressSize == 8, reader.position <= end else { return nil }
    self.start = start
    self.end = end
    self.type = type
    firstEntry = reader.position
    encoding = Encoding(version: version, addressSize: addressSize, offsetSize: offsetSize)
  }
}
