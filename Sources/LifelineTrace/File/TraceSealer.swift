import CLifelineFormat
import SystemPackage

/// Completes a trace after its process has ended: how it ended, checksums for open chunks, and how many were begun.
public struct TraceSealer {
  private let path: String

  public init(path: String) { self.path = path }

  /// Writes the end and seals open chunks. Damaged chunks are left alone.
  ///
  /// - Parameter isNow: Whether the process has just ended, and so now is its end unless the recorder saw it.
  /// - Throws: `TraceError` if the file is not a trace or cannot be written.
  public func seal(end: Recording.End, isNow: Bool = true) throws {
    // Reading a large trace takes seconds, in which the process has already ended.
    let clocks = [lifeline_clock_now(), MonotonicClock.nanoseconds]
    let trace = try Trace(path: path)
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readWrite, options: [.noFollow, .closeOnExec])
    } catch {
      throw TraceError("The trace \(path) cannot be completed: \(error).")
    }
    defer { try? descriptor.close() }
    try write(end, to: descriptor)
    if isNow, trace.recording.end == .unknown { try write(clocks, of: end, to: descriptor) }
    for chunks in trace.index.streams.values {
      for chunk in chunks where !chunk.isSealed { try sealEvents(chunk, of: trace, in: descriptor) }
    }
    for chunk in trace.index.information where !chunk.isSealed { try sealRecords(chunk, of: trace, in: descriptor) }
    let begun = UInt32(clamping: max(trace.index.begun, Int(trace.header.begun)))
    let offset = MemoryLayout<lifeline_file_header>.offset(of: \.begun)!
    try write(withUnsafeBytes(of: begun) { Array($0) }, at: Int64(offset), in: descriptor)
  }

  private func write(_ end: Recording.End, to descriptor: FileDescriptor) throws {
    // Then what the recorder itself saw of the end is kept.
    if end == .unknown { return }
    let fields: [UInt32] =
      switch end {
      case .unknown: [0, 0]
      case .replaced: [3, 0]
      case .detached: [4, 0]
      case .exit(let status): [1, UInt32(truncatingIfNeeded: status)]
      case .signal(let number): [2, UInt32(truncatingIfNeeded: number)]
      }
    let offset = MemoryLayout<lifeline_file_header>.offset(of: \.end)!
    try write(fields.withUnsafeBytes { Array($0) }, at: Int64(offset), in: descriptor)
  }

  /// If the recorder did not see the end itself, its last pair of clocks is as old as its last chunk.
  private func write(_ clocks: [UInt64], of end: Recording.End, to descriptor: FileDescriptor) throws {
    switch end {
    case .exit, .signal: break
    case .unknown, .replaced, .detached: return
    }
    let offset = MemoryLayout<lifeline_file_header>.offset(of: \.end_clock)!
    try write(clocks.withUnsafeBytes { Array($0) }, at: Int64(offset), in: descriptor)
  }

  private func sealEvents(_ chunk: Chunk, of trace: Trace, in descriptor: FileDescriptor) throws {
    let decoder = StreamDecoder(chunkSize: Int(trace.header.chunk_size), frames: trace.recording.frames)
    let count = try trace.file.read(into: decoder.chunk, at: chunk.offset)
    decoder.begin(length: count, clock: chunk.firstClock, thread: chunk.thread)
    var event = Event()
    var events: UInt32 = 0
    while decoder.next(&event) { events += 1 }
    guard decoder.damage == nil else { return }
    let length = decoder.decodedLength
    try complete(chunk, decoder.chunk, length, events, decoder.cursor.clock, in: descriptor)
  }

  private func sealRecords(_ chunk: Chunk, of trace: Trace, in descriptor: FileDescriptor) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(trace.header.chunk_size), alignment: 64)
    defer { buffer.deallocate() }
    let count = try trace.file.read(into: buffer, at: chunk.offset)
    var length = Int(LIFELINE_CHUNK_HEADER_SIZE)
    while count - length >= 8 {
      let kind = buffer.loadUnaligned(fromByteOffset: length, as: UInt32.self)
      let size = Int(buffer.loadUnaligned(fromByteOffset: length + 4, as: UInt32.self))
      if kind == 0 { break }
      guard size >= 8, size % 8 == 0, size <= count - length else { return }
      length += size
    }
    try complete(chunk, buffer, length, 0, chunk.firstClock, in: descriptor)
  }

  /// Writes length … header_checksum, then `sealed`, as the recorder does.
  private func complete(
    _ chunk: Chunk, _ bytes: UnsafeMutableRawBufferPointer, _ length: Int, _ events: UInt32, _ clock: UInt64,
    in descriptor: FileDescriptor
  ) throws {
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    var header = bytes.loadUnaligned(as: lifeline_chunk_header.self)
    header.sealed = 1
    header.length = UInt32(length)
    header.events = events
    header.last_clock = clock
    header.checksum = lifeline_sum(bytes.baseAddress! + headerSize, UInt64(length - headerSize))
    header.header_checksum = lifeline_sum(&header, UInt64(LIFELINE_CHUNK_HEADER_SUMMED))
    let lengthOffset = MemoryLayout<lifeline_chunk_header>.offset(of: \.length)!
    let tail = withUnsafeBytes(of: header) { Array($0[lengthOffset...]) }
    let sealedOffset = Int64(MemoryLayout<lifeline_chunk_header>.offset(of: \.sealed)!)
    try write(tail, at: chunk.offset + Int64(lengthOffset), in: descriptor)
    try write([1, 0, 0, 0], at: chunk.offset + sealedOffset, in: descriptor)
    // Unused space reserved by the recorder is released; a file system that cannot do that keeps it.
    let used = (chunk.offset + Int64(length) + 4095) & ~4095
    let end = chunk.offset + Int64(bytes.count)
    if used < end { _ = lifeline_discard(descriptor.rawValue, used, end - used) }
  }

  private func write(_ bytes: [UInt8], at offset: Int64, in descriptor: FileDescriptor) throws {
    do {
      _ = try descriptor.writeAll(toAbsoluteOffset: offset, bytes)
    } catch {
      throw TraceError("The trace \(path) cannot be completed: \(error).")
    }
  }
}
