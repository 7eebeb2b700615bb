import Testing

@testable import LifelineSymbolication

@Suite struct ByteReaderTests {
  private func read<Result>(_ bytes: [UInt8], _ body: (inout ByteReader) -> Result) -> Result {
    bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer.baseAddress!, 0..<buffer.count)
      return body(&reader)
    }
  }

  @Test(
    "LEB128 numbers are read as in the examples of the DWARF 5 standard (appendix C)",
    arguments: [
      ([2], 2, 2), ([0x7F], 127, -1), ([0x80, 1], 128, 128), ([0x81, 1], 129, 129), ([0xFF, 0], 127, 127),
      ([0x80, 0x7F], 16256, -128),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], UInt64(1) << 63, Int64.min),
    ] as [([UInt8], UInt64, Int64)])
  func leb128(_ bytes: [UInt8], _ unsigned: UInt64, _ signed: Int64) {
    #expect(read(bytes) { $0.unsigned() } == unsigned)
    #expect(read(bytes) { $0.signed() } == signed)
    #expect(
      read(bytes) { reader in
        _ = reader.unsigned(); return reader.isAtEnd && !reader.isCutOff
      })
  }

  @Test("Bits beyond the 64th are dropped, and a number without an end is cut off")
  func long() {
    #expect(read(Array(repeating: 0xFF, count: 11) + [0]) { $0.unsigned() } == .max)
    #expect(
      read(Array(repeating: 0x80, count: 40)) { reader in
        _ = reader.signed(); return reader.isCutOff
      })
  }

  @Test("A read beyond the end returns zero and stays at the end")
  func end() {
    read([1, 2, 3]) { reader in
      #expect(reader.fixed(UInt32.self) == 0)
      #expect(reader.isCutOff && reader.isAtEnd)
      #expect(reader.byte() == 0)
    }
    read([1, 2, 3]) { reader in
      #expect(reader.number(size: 3) == 0x30201)
      #expect(!reader.isCutOff)
      reader.skip(.max)
      #expect(reader.isCutOff && reader.position == 3)
    }
    #expect(
      read(Array("ab".utf8)) { reader in
        reader.skipString(); return reader.isCutOff
      })
    #expect(
      read(Array("ab\0c".utf8)) { reader in
        reader.skipString(); return reader.position
      } == 3)
  }
}
