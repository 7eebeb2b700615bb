import Glibc
import LifelineSymbolication

/// Writes frames to standard output as llvm-symbolizer does, many at a time.
struct FrameWriter {
  private let symbolicator: Symbolicator
  private var buffer: [UInt8] = []

  init(_ symbolicator: Symbolicator) { self.symbolicator = symbolicator }

  mutating func write(_ locations: [CodeLocation]) {
    for location in locations {
      write(location.name)
      buffer.append(UInt8(ascii: "\n"))
      write(location.file)
      buffer.append(UInt8(ascii: ":"))
      write(digitsOf: location.line)
      buffer.append(UInt8(ascii: "\n"))
    }
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { flush() }
  }

  private mutating func write(_ text: Int32) {
    if text == 0 { buffer.append(contentsOf: "??".utf8) } else { buffer.append(contentsOf: symbolicator.text(text)) }
  }

  private mutating func write(digitsOf number: Int32) {
    if number >= 10 { write(digitsOf: number / 10) }
    buffer.append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  mutating func flush() {
    buffer.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(1, bytes.baseAddress! + written, bytes.count - written)
        if count <= 0 { exit(74) }
        written += count
      }
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
