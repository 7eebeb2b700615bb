import CLifelineFormat
import SystemPackage

/// Adds records to a trace that its process no longer writes, in separate information chunks at the end.
public struct TraceAppender {
  private let path: String

  public init(path: String) { self.path = path }

  /// The maximum size of a record's contents in bytes.
  public static let largestRecord = 64 << 10

  /// Appends an option with which the trace was recorded.
  ///
  /// - Throws: `TraceError` if the file is not a trace or cannot be written.
  public func append(option key: String, _ value: String) throws {
    let record = [key, value].flatMap { text in Self.bytes(UInt32(text.utf8.count)) + Array(text.utf8) }
    try append(kind: LIFELINE_RECORD_option.rawValue, [record])
  }

  /// Appends records of one kind, or none. A chunk is complete before the header counts it, so that a reader never sees
  /// a partial one.
  ///
  /// - Throws: `TraceError` if the file is not a trace or cannot be written.
  public func append(kind: UInt32, _ records: some Sequence<[UInt8]>) throws {
    let trace = try Trace(path: path)
    let chunkSize = Int(trace.header.chunk_size)
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    let present = (trace.file.size - Int64(LIFELINE_HEADER_SIZE) + Int64(chunkSize) - 1) / Int64(chunkSize)
    let first = max(Int64(trace.header.chunks), present)
    var index = first
    var sequence = (trace.index.information.last?.sequence).map { $0 + 1 } ?? 0
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(FilePath(path), .readWrite, options: [.noFollow, .closeOnExec])
    } catch {
      throw TraceError("The trace \(path) cannot be completed: \(error).")
    }
    defer { try? file.close() }
    var chunk: [UInt8] = []
    func finish() throws {
      guard !chunk.isEmpty else { return }
      try write(
        chunk, sequence: sequence, clock: trace.header.end_clock,
        at: Int64(LIFELINE_HEADER_SIZE) + index * Int64(chunkSize), chunkSize, to: file)
      index += 1
      sequence += 1
      chunk = []
    }
    do {
      for record in records {
        let size = (record.count + 8 + 7) & ~7
        guard size <= chunkSize - headerSize else {
          throw TraceError("A record of \(record.count) bytes does not fit into the trace \(path).")
        }
        if chunk.count + size > chunkSize - headerSize { try finish() }
        chunk += Self.bytes(kind) + Self.bytes(UInt32(size)) + record
        chunk += [UInt8](repeating: 0, count: size - 8 - record.count)
      }
      try finish()
    } catch {
      // Where there was no room for all of it.
      try? file.resize(to: trace.file.size)
      throw error
    }
    let offset = MemoryLayout<lifeline_file_header>.offset(of: \.chunks)!
    try write(Self.bytes(UInt32(clamping: index)), at: Int64(offset), to: file)
    if trace.header.begun > 0 {
      let begun = UInt32(clamping: Int64(trace.header.begun) + index - first)
      let offset = MemoryLayout<lifeline_file_header>.offset(of: \.begun)!
      try write(Self.bytes(begun), at: Int64(offset), to: file)
    }
  }

  private func write(
    _ contents: [UInt8], sequence: UInt64, clock: UInt64, at offset: Int64, _ chunkSize: Int, to file: FileDescriptor
  ) throws {
    var header = lifeline_chunk_header()
    header.magic = LIFELINE_INFORMATION_CHUNK
    header.sequence = sequence
    header.first_clock = clock
    header.last_clock = clock
    header.length = UInt32(Int(LIFELINE_CHUNK_HEADER_SIZE) + contents.count)
    header.checksum = contents.withUnsafeBytes { lifeline_sum($0.baseAddress, UInt64($0.count)) }
    header.sealed = 1
    header.header_checksum = lifeline_sum(&header, UInt64(LIFELINE_CHUNK_HEADER_SUMMED))
    // The file grows by whole chunks; unwritten parts are holes.
    try write([0], at: offset + Int64(chunkSize) - 1, to: file)
    try write(contents, at: offset + Int64(LIFELINE_CHUNK_HEADER_SIZE), to: file)
    try write(withUnsafeBytes(of: header) { Array($0) }, at: offset, to: file)
  }

  private static func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

  private func write(_ bytes: [UInt8], at offset: Int64, to file: FileDescriptor) throws {
    do {
      _ = try file.writeAll(toAbsoluteOffset: offset, bytes)
    } catch {
      throw TraceError("The trace \(path) cannot be completed: \(error).")
    }
  }
}
