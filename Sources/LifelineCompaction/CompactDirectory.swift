import CLifelineFormat
import LifelineTrace

/// The description inside a compact trace, verified: the headers of the trace and its chunks, and the location of the
/// groups.
struct CompactDirectory {
  let layout: CompactLayout
  /// The trace's own file header.
  private var fileHeader: [UInt8]
  private let bytes: [UInt8]
  private let groups: Int
  /// What a group may have besides twice its contents: a zstd frame exceeds its contents by at most a 128th.
  private static let frameRoom: UInt64 = 65536

  /// - Throws: `TraceError` if the file is not a complete compact trace.
  init(_ file: TraceFile) throws {
    let damage = TraceError("The compact trace \(file.path) is damaged or incomplete; compact its trace again.")
    fileHeader = [UInt8](repeating: 0, count: Int(LIFELINE_HEADER_SIZE))
    var header = lifeline_compact_header()
    guard try fileHeader.withUnsafeMutableBytes({ try file.read(into: $0, at: 0) }) == fileHeader.count,
      try withUnsafeMutableBytes(of: &header, { try file.read(into: $0, at: Int64(LIFELINE_HEADER_SIZE)) })
        == Int(LIFELINE_COMPACT_HEADER_SIZE)
    else { throw damage }
    guard lifeline_sum(&header, UInt64(LIFELINE_COMPACT_HEADER_SUMMED)) == header.header_checksum,
      lifeline_sum(fileHeader, UInt64(fileHeader.count)) == header.file_checksum
    else { throw damage }
    let versionOffset = MemoryLayout<lifeline_file_header>.offset(of: \.version)!
    let chunkSize = fileHeader.withUnsafeMutableBytes { bytes in
      let version = bytes.loadUnaligned(fromByteOffset: versionOffset, as: UInt32.self)
      bytes.storeBytes(of: version & ~LIFELINE_VERSION_COMPACT, toByteOffset: versionOffset, as: UInt32.self)
      return Int(
        bytes.loadUnaligned(
          fromByteOffset: MemoryLayout<lifeline_file_header>.offset(of: \.chunk_size)!, as: UInt32.self))
    }
    let limit = Int(LIFELINE_COMPACT_GROUP_LIMIT)
    guard 4096...limit ~= chunkSize, 1...(limit / chunkSize) ~= Int(header.group_chunks),
      UInt64(LIFELINE_HEADER_SIZE)...UInt64(Int64.max / 2) ~= header.size,
      UInt64(LIFELINE_HEADER_SIZE + LIFELINE_COMPACT_HEADER_SIZE)...UInt64(file.size) ~= header.directory
    else { throw damage }
    layout = CompactLayout(size: Int64(header.size), chunkSize: chunkSize, groupChunks: Int(header.group_chunks))
    groups = Int(header.groups)
    // Both are less than the size of the file, so nothing is allocated that does not exist.
    let directorySize = file.size - Int64(header.directory)
    guard layout.groups == Int64(groups), layout.chunks <= directorySize / Int64(LIFELINE_CHUNK_HEADER_SIZE),
      layout.groups * Int64(MemoryLayout<lifeline_compact_group>.size) + layout.chunks
        * Int64(LIFELINE_CHUNK_HEADER_SIZE) == directorySize
    else { throw damage }
    var bytes = [UInt8](repeating: 0, count: Int(directorySize))
    guard try bytes.withUnsafeMutableBytes({ try file.read(into: $0, at: Int64(header.directory)) }) == bytes.count,
      lifeline_sum(bytes, UInt64(bytes.count)) == header.directory_checksum
    else { throw damage }
    self.bytes = bytes
    let first = UInt64(LIFELINE_HEADER_SIZE + LIFELINE_COMPACT_HEADER_SIZE)
    for index in 0..<groups {
      let group = group(index)
      guard first...header.directory ~= group.offset, group.length <= header.directory - group.offset,
        group.length <= 2 * UInt64(layout.groupSize) + Self.frameRoom
      else { throw damage }
    }
  }

  func group(_ index: Int) -> lifeline_compact_group {
    bytes.withUnsafeBytes {
      $0.loadUnaligned(
        fromByteOffset: index * MemoryLayout<lifeline_compact_group>.size, as: lifeline_compact_group.self)
    }
  }

  /// Events in the trace.
  var events: UInt64 { (0..<groups).reduce(0) { $0 &+ group($1).events } }

  /// Copies from the trace's file header, starting at byte `offset`, as much as there is; returns the number of bytes.
  func copyFileHeader(from offset: Int, into out: UnsafeMutableRawBufferPointer) -> Int {
    fileHeader.withUnsafeBytes { Self.copy($0, from: offset, into: out) }
  }

  /// Copies from the header of a chunk, starting at byte `offset`, as much as there is; returns the number of bytes.
  func copyHeader(ofChunk index: Int, from offset: Int = 0, into out: UnsafeMutableRawBufferPointer) -> Int {
    let size = Int(LIFELINE_CHUNK_HEADER_SIZE)
    let start = groups * MemoryLayout<lifeline_compact_group>.size + index * size
    return bytes.withUnsafeBytes {
      Self.copy(UnsafeRawBufferPointer(rebasing: $0[start..<start + size]), from: offset, into: out)
    }
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer, from offset: Int, into out: UnsafeMutableRawBufferPointer)
    -> Int
  {
    let count = min(out.count, bytes.count - offset)
    out.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
    return count
  }
}
