import CLifelineFormat

extension Trace {
  /// The contents of all records of one kind, in order, without damaged chunks.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func records(ofKind wanted: UInt32) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(header.chunk_size), alignment: 64)
    defer { buffer.deallocate() }
    for chunk in index.information {
      let count = min(try file.read(into: buffer, at: chunk.offset), chunk.length)
      guard count > headerSize else { continue }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[headerSize..<count])
      if chunk.isSealed, count < chunk.length || !chunk.isIntact(bytes) { continue }
      var position = 0
      while bytes.count - position >= 8 {
        let kind = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        let size = Int(bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
        guard kind != 0, size >= 8, size % 8 == 0, size <= bytes.count - position else { break }
        if kind == wanted { found.append(Array(bytes[position + 8..<position + size])) }
        position += size
      }
    }
    return found
  }
}
