/// Bytes in memory that represent a part of a trace.
final class MemoryContents: TraceContents {
  let path: String
  private let bytes: [UInt8]

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  var size: Int64 { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
    let begin = Int(clamping: max(0, min(offset, size)))
    let part = bytes[begin..<min(bytes.count, begin + buffer.count)]
    buffer.copyBytes(from: part)
    return part.count
  }
}
