import CLifelineFormat
import LifelineTrace
import SystemPackage

/// Writes the compact form of a trace. It uses the memory of a few groups, and 66 bytes for each chunk of the trace.
public struct CompactTraceWriter {
  /// The result of compacting a trace.
  public struct Outcome: Sendable, Equatable {
    /// Events, as far as the bytes are valid.
    public var events: UInt64 = 0
    public var sizeBefore: Int64 = 0
    public var sizeAfter: Int64 = 0
  }

  private let file: TraceFile
  private let layout: CompactLayout
  private let level: Int

  /// zstd's level; above it traces shrink by a fiftieth, at twice the time.
  public static let defaultLevel = 9

  /// - Throws: `TraceError` if the file is not a trace, or is a compact one.
  public init(_ file: TraceFile, level: Int = defaultLevel) throws {
    if try CompactTraceFile.isCompact(file) { throw TraceError("The trace \(file.path) is already compact.") }
    self.file = file
    self.level = level
    layout = CompactLayout(size: file.size, chunkSize: try Trace.chunkSize(of: file))
  }

  /// Writes the whole trace, which must not change meanwhile; `progress` is called with the bytes read now and then.
  ///
  /// Each group is inflated again and compared before it is written.
  /// - Throws: `TraceError` if the trace cannot be read, `Errno` if the descriptor cannot be written.
  public func write(to descriptor: FileDescriptor, progress: ((Int64) -> Void)? = nil) throws -> Outcome {
    var outcome = Outcome(sizeBefore: file.size)
    let packer = GroupPacker(layout: layout, level: level)
    var fileHeader = [UInt8](repeating: 0, count: Int(LIFELINE_HEADER_SIZE))
    try read(into: &fileHeader, at: 0)
    mark(&fileHeader)
    // The compact header comes last: without it the file is not a compact trace.
    try append(fileHeader + [UInt8](repeating: 0, count: Int(LIFELINE_COMPACT_HEADER_SIZE)), to: descriptor)
    var offset = Int64(LIFELINE_HEADER_SIZE + LIFELINE_COMPACT_HEADER_SIZE)
    var groups: [lifeline_compact_group] = []
    for index in 0..<Int(layout.groups) {
      let range = layout.range(ofGroup: index)
      var bytes = [UInt8](repeating: 0, count: Int(range.upperBound - range.lowerBound))
      try read(into: &bytes, at: range.lowerBound)
      let packed = packer.pack(bytes)
      guard packer.unpack(packed.bytes, group: index, is: bytes) else {
        throw TraceError(
          "The trace \(file.path) could not be compacted: its group \(index) does not inflate to the original. "
            + "Please report this."
        )
      }
      groups.append(
        lifeline_compact_group(
          offset: UInt64(offset), length: UInt64(packed.bytes.count),
          checksum: lifeline_sum(packed.bytes, UInt64(packed.bytes.count)),
          events: UInt64(packed.events)))
      try append(packed.bytes, to: descriptor)
      offset += Int64(packed.bytes.count)
      outcome.events += UInt64(packed.events)
      progress?(range.upperBound)
    }
    let directory = groups.withUnsafeBytes { Array($0) } + packer.headers
    try append(directory, to: descriptor)
    try writeHeader(directory: directory, at: offset, groups: groups.count, fileHeader, to: descriptor)
    outcome.sizeAfter = offset + Int64(directory.count)
    return outcome
  }

  private func read(into bytes: inout [UInt8], at offset: Int64) throws {
    let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
    if count < bytes.count { throw TraceError("The trace \(file.path) became shorter while being read.") }
  }

  private func append(_ bytes: [UInt8], to descriptor: FileDescriptor) throws { _ = try descriptor.writeAll(bytes) }

  private func mark(_ fileHeader: inout [UInt8]) {
    fileHeader.withUnsafeMutableBytes { bytes in
      let offset = MemoryLayout<lifeline_file_header>.offset(of: \.version)!
      let version = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
      bytes.storeBytes(of: version | LIFELINE_VERSION_COMPACT, toByteOffset: offset, as: UInt32.self)
    }
  }

  private func writeHeader(
    directory: [UInt8], at offset: Int64, groups: Int, _ fileHeader: [UInt8], to descriptor: FileDescriptor
  ) throws {
    var header = lifeline_compact_header()
    header.size = UInt64(layout.size)
    header.directory = UInt64(offset)
    header.group_chunks = UInt32(layout.groupChunks)
    header.groups = UInt32(groups)
    header.directory_checksum = lifeline_sum(directory, UInt64(directory.count))
    // The reader computes the checksum of this file's bytes.
    header.file_checksum = lifeline_sum(fileHeader, UInt64(fileHeader.count))
    header.header_checksum = lifeline_sum(&header, UInt64(LIFELINE_COMPACT_HEADER_SUMMED))
    _ = try descriptor.writeAll(
      toAbsoluteOffset: Int64(LIFELINE_HEADER_SIZE), withUnsafeBytes(of: header) { Array($0) })
  }
}
