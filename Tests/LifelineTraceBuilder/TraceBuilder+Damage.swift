import CLifelineFormat

extension TraceBuilder {
  /// The offset of chunk `index`; 0 is the information chunk, and the event chunks follow in the order they were added.
  public static func offset(ofChunk index: Int, chunkSize: Int = Self.chunkSize) -> Int {
    Int(LIFELINE_HEADER_SIZE) + index * chunkSize
  }

  /// Recomputes the checksums of sealed chunks after their bytes were changed, as a hostile writer would.
  public static func reseal(_ bytes: inout [UInt8], chunkSize: Int = Self.chunkSize) {
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    for start in stride(from: Int(LIFELINE_HEADER_SIZE), to: bytes.count - chunkSize + 1, by: chunkSize) {
      bytes.withUnsafeMutableBytes { file in
        var header = file.loadUnaligned(fromByteOffset: start, as: lifeline_chunk_header.self)
        guard header.sealed == 1, headerSize...chunkSize ~= Int(header.length) else { return }
        header.checksum = lifeline_sum(file.baseAddress! + start + headerSize, UInt64(Int(header.length) - headerSize))
        header.header_checksum = lifeline_sum(&header, UInt64(LIFELINE_CHUNK_HEADER_SUMMED))
        file.storeBytes(of: header, toByteOffset: start, as: lifeline_chunk_header.self)
      }
    }
  }

  /// Recomputes the checksums of a compact trace after its bytes were changed, as a hostile writer would.
  public static func reseal(compact bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { file in
      var header = file.loadUnaligned(fromByteOffset: 4096, as: lifeline_compact_header.self)
      if header.directory <= UInt64(file.count) {
        let directory = Int(header.directory)
        for index in 0..<Int(min(header.groups, 100)) where directory + index * 32 + 32 <= file.count {
          var group = file.loadUnaligned(fromByteOffset: directory + index * 32, as: lifeline_compact_group.self)
          if group.offset <= UInt64(file.count), group.length <= UInt64(file.count) - group.offset {
            group.checksum = lifeline_sum(file.baseAddress! + Int(group.offset), group.length)
            file.storeBytes(of: group, toByteOffset: directory + index * 32, as: lifeline_compact_group.self)
          }
        }
        header.directory_checksum = lifeline_sum(file.baseAddress! + directory, UInt64(file.count - directory))
      }
      header.file_checksum = lifeline_sum(file.baseAddress!, 4096)
      header.header_checksum = lifeline_sum(&header, 56)
      file.storeBytes(of: header, toByteOffset: 4096, as: lifeline_compact_header.self)
    }
  }
}
