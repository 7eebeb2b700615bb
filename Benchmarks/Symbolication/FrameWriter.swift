import Glibc

/// Writes lines to standard output, many at a time.
struct FrameWriter {
  private var buffer = [UInt8]()

  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { buffer.append(contentsOf: $0) }
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { flush() }
  }

  /// A path and a line.
  mutating func write(_ path: String, _ line: Int32) {
    var path = path
    path.withUTF8 { buffer.append(contentsOf: $0) }
    buffer.append(UInt8(ascii: ":"))
    write(digitsOf: line)
    buffer.append(UInt8(ascii: "\n"))
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
