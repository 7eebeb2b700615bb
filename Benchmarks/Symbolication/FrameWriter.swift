import Glibc

/// Writes lines to standard output, many at a time.
struct FrameWriter {
  private var buffer = [UInt8]()

  /// A name, or "??" for none.
  mutating func write(_ name: ArraySlice<UInt8>) {
    if name.isEmpty { buffer += [UInt8(ascii: "?"), UInt8(ascii: "?")] } else { buffer.append(contentsOf: name) }
    endLine()
  }

  /// A path, or "??", and a line.
  mutating func write(_ path: ArraySlice<UInt8>, _ line: Int32) {
    if path.isEmpty { buffer += [UInt8(ascii: "?"), UInt8(ascii: "?")] } else { buffer.append(contentsOf: path) }
    buffer.append(UInt8(ascii: ":"))
    write(digitsOf: line)
    endLine()
  }

  mutating func endLine() {
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { flush() }
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
