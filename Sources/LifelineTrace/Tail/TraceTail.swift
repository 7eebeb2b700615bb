import CLifelineFormat
import Glibc

/// Reads a trace while it grows: each call returns what was committed since the previous one.
///
/// The writing process is not affected: committed data is read with `pread`, and nothing is locked or mapped. Events
/// come chunk by chunk, each stream's in order; the order between streams is not established, which would need events
/// that are not written yet. Decoders of recently read open chunks continue where they were. Other chunks are decoded
/// from the beginning again, at most 256 KiB, skipping events that were already returned; so for most streams only
/// their position in the file is kept. Memory: some chunks, 24 bytes for each open one, and the backtraces, at most
/// `backtraceLimit` sites.
public final class TraceTail {
  /// Maximum number of sites in all kept backtraces; events of chunks begun later have none.
  public static let backtraceLimit = 1 << 20

  public private(set) var recording: Recording
  public var backtraces: BacktraceTable { kept.table }
  private let kept = BacktraceKeeper()
  /// Events returned so far.
  public private(set) var events = 0
  public var path: String { file.path }
  public var tables: TraceTables { records.tables }
  public var name: TraceFile.Name { file.name }
  /// Sentences about damage.
  public var problems: [String] { damage.sentences + missing }
  /// Known chunks that are not read yet.
  public var waiting: Int { unread.count }

  private let file: TraceFile
  var header: lifeline_file_header
  private let chunkSize: Int
  private let decoder: StreamDecoder
  /// Decoders that can continue in an open chunk, most recently used last.
  private var resumable: [(offset: Int64, decoder: StreamDecoder)] = []
  private static let resumableLimit = 4
  /// The bytes there just before a chunk was read.
  private let before: UnsafeMutableRawBufferPointer
  private var batch: EventBatch
  private let nothing = AddressFilter()
  private var records = RecordReader()
  private var damage = ProblemList()
  private var size: Int64 = 0
  /// Where the next chunk will begin.
  private var end = Int64(LIFELINE_HEADER_SIZE)
  /// Chunks that were claimed but not begun.
  private var claimed: [Int64] = []
  private var information: [TailedChunk] = []
  /// Event chunks in file order, which is that of each stream.
  private var open: [TailedChunk] = []
  private var unread: ArraySlice<TailedChunk> = []
  /// For a ring: the chunk at each position, and the clock up to which events were dropped or returned as `older`.
  private var residents: [Int64: Resident] = [:]
  private var horizon: UInt64 = 0
  /// The latest chunk of each stream.
  private var sequences: [UInt32: UInt64] = [:]
  private var hasLost = false
  /// What a trace lacks after its recording has ended, according to the last look.
  private var missing: [String] = []
  /// The earlier part, as events, until it was returned.
  private var older: Trace?

  /// - Throws: `TraceError` if the file cannot be read or is not a trace of this version.
  public init(path: String) throws {
    file = try TraceFile(path: path)
    header = try Trace.readHeader(file)
    recording = Recording(header)
    chunkSize = Int(header.chunk_size)
    decoder = StreamDecoder(chunkSize: chunkSize, frames: Int(header.frames))
    // Allocated when nothing can fail any more: after an error in here, deinit does not run.
    batch = EventBatch()
    before = .allocate(byteCount: chunkSize, alignment: 64)
  }

  deinit {
    batch.deallocate()
    before.deallocate()
  }

  /// Looks for anything new, without reading events: the header, chunks, images, classes.
  ///
  /// - Throws: `TraceError` if the file can no longer be read, or was truncated.
  public func look() throws {
    let now = file.currentSize
    if now < size {
      throw TraceError("The trace \(path) was truncated to \(now) bytes while being watched; record it again.")
    }
    size = now
    header = try Trace.readHeader(file)
    recording = Recording(header)
    missing = recording.state == .ended ? ChunkIndex.missing(in: size, header) : []
    if header.flags & LIFELINE_FLAG_RING != 0 {
      try lookAround()
    } else {
      var places = claimed
      claimed = []
      while end < size {
        places.append(end)
        end += Int64(chunkSize)
      }
      for place in places { try enter(place) }
    }
    var growing: [TailedChunk] = []
    for var chunk in information where try readRecords(&chunk) { growing.append(chunk) }
    information = growing
    unread = (open + unread).sorted { $0.order < $1.order }[...]
    open = []
  }

  /// Reads the events of up to `chunks` chunks; false if there are more.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func read(chunks: Int, _ take: (EventBatch, _ stream: UInt32) -> Void) throws -> Bool {
    if let trace = older {
      older = nil
      try give(trace, take)
    }
    var left = chunks
    while left > 0, var chunk = unread.popFirst() {
      left -= 1
      if try readEvents(&chunk, take) { open.append(chunk) }
    }
    return unread.isEmpty
  }

  /// Checks all positions of a ring, because a chunk may have been dropped and replaced by another.
  private func lookAround() throws {
    if residents.isEmpty, header.horizon > 0 {
      let trace = try Trace(path: path)
      horizon = trace.header.horizon
      header = trace.header
      older = trace
    }
    var open = self.open
    self.open = []
    var fresh: [Resident] = []
    for place in stride(from: Int64(LIFELINE_HEADER_SIZE), to: size, by: chunkSize) {
      var raw = lifeline_chunk_header()
      let count = try withUnsafeMutableBytes(of: &raw) { try file.read(into: $0, at: place) }
      guard count == MemoryLayout<lifeline_chunk_header>.size, raw.magic != 0, raw.magic != LIFELINE_BASE_CHUNK else {
        continue
      }
      let resident = Resident(magic: raw.magic, stream: raw.stream, sequence: raw.sequence)
      let former = residents.updateValue(resident, forKey: place)
      if former == resident { continue }
      let wasOpen = open.contains { $0.offset == place }, wasUnread = unread.contains { $0.offset == place }
      if wasOpen || wasUnread {
        open.removeAll { $0.offset == place }
        unread.removeAll { $0.offset == place }
        lose()
      }
      switch raw.magic {
      case LIFELINE_INFORMATION_CHUNK: information.append(TailedChunk(offset: place))
      case LIFELINE_EVENT_CHUNK:
        fresh.append(resident)
        unread.append(TailedChunk(offset: place, order: raw.first_clock))
      default: damage.append("Byte \(place) does not start a valid chunk; it was skipped.")
      }
    }
    self.open = open
    note(fresh)
  }

  /// The chunks of a stream are consecutive; one that was never seen had been dropped.
  private func note(_ chunks: [Resident]) {
    for chunk in chunks.sorted(by: { $0.sequence < $1.sequence }) {
      if let known = sequences[chunk.stream], chunk.sequence > known &+ 1 { lose() }
      sequences[chunk.stream] = chunk.sequence
    }
  }

  private func lose() {
    guard !hasLost else { return }
    hasLost = true
    damage.append("Some events were discarded (--keep) before they were read, so the numbers are incomplete.")
  }

  /// Removes events of objects that are no longer recorded (SampleFilter).
  private func leaveOut() {
    let filter = SampleFilter(denominator: recording.sample)
    var count = 0
    for index in 0..<batch.count {
      let event = batch.events[index]
      guard event.object == 0 || filter.contains(event.object) || event.kind.isCaught else { continue }
      batch.events[count] = event
      batch.backtraces[count] = batch.backtraces[index]
      count += 1
    }
    batch.count = count
  }

  /// Returns the base line as events.
  private func give(_ trace: Trace, _ take: (EventBatch, UInt32) -> Void) throws {
    let contents = trace.contents(ofStream: BaseLineEncoder.stream)
    for chunk in trace.index.streams[BaseLineEncoder.stream] ?? [] {
      let buffer = UnsafeMutableRawBufferPointer(rebasing: decoder.chunk[..<chunk.length])
      let count = try contents.read(into: buffer, at: chunk.offset)
      var tailed = TailedChunk(offset: chunk.offset)
      decode(chunk, decoder, count, &tailed, take)
    }
  }

  /// Records a chunk by kind.
  private func enter(_ offset: Int64) throws {
    var raw = lifeline_chunk_header()
    let count = try withUnsafeMutableBytes(of: &raw) { try file.read(into: $0, at: offset) }
    guard count == MemoryLayout<lifeline_chunk_header>.size, raw.magic != 0 else { return claimed.append(offset) }
    switch raw.magic {
    case LIFELINE_INFORMATION_CHUNK: information.append(TailedChunk(offset: offset))
    case LIFELINE_BASE_CHUNK: break
    case LIFELINE_EVENT_CHUNK: unread.append(TailedChunk(offset: offset))
    default: damage.append("Byte \(offset) does not start a valid chunk; it was skipped.")
    }
  }

  /// The header of a started chunk; nil if it is damaged, which is reported.
  private func chunk(at offset: Int64) throws -> Chunk? {
    var raw = lifeline_chunk_header()
    let count = try withUnsafeMutableBytes(of: &raw) { try file.read(into: $0, at: offset) }
    guard count == MemoryLayout<lifeline_chunk_header>.size else { return nil }
    if let chunk = Chunk(raw, offset: offset, chunkSize: chunkSize) { return chunk }
    // `sealed` is written last, and may have been written in between.
    _ = try withUnsafeMutableBytes(of: &raw) { try file.read(into: $0, at: offset) }
    if let chunk = Chunk(raw, offset: offset, chunkSize: chunkSize) { return chunk }
    damage.append("The header of the chunk at byte \(offset) is damaged; the chunk was left out.")
    return nil
  }

  /// Reads a chunk's bytes starting at `start` into `buffer`; returns how far they are certain.
  ///
  /// One read may see the tag of an event, which is written last, and not yet its fields. What two reads saw alike is
  /// complete: the first saw its tag, so all of it was there before the second began.
  private func readBytes(of chunk: Chunk, from start: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    func read(_ buffer: UnsafeMutableRawBufferPointer, _ end: Int) throws -> Int {
      guard start < end else { return start }
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<end])
      return try start + file.read(into: rest, at: chunk.offset + Int64(start))
    }
    if chunk.isSealed { return try read(buffer, chunk.length) }
    let first = try read(before, chunkSize)
    let second = try read(buffer, chunkSize)
    guard let a = before.baseAddress, let b = buffer.baseAddress else { return start }
    let count = min(first, second)
    var position = start
    while position < count {
      let part = min(4096, count - position)
      guard memcmp(a + position, b + position, part) == 0 else { break }
      position += part
    }
    while position < count, before[position] == buffer[position] { position += 1 }
    return position
  }

  /// Reads new records; false if the chunk is complete.
  private func readRecords(_ tailed: inout TailedChunk) throws -> Bool {
    guard let chunk = try chunk(at: tailed.offset) else { return false }
    let begin = max(tailed.length, Int(LIFELINE_CHUNK_HEADER_SIZE))
    if !chunk.isSealed, try byte(at: tailed.offset + Int64(begin)) == 0 { return true }
    let count = try readBytes(of: chunk, from: begin, into: decoder.chunk)
    let bytes = UnsafeRawBufferPointer(decoder.chunk)
    var position = begin
    while count - position >= 8 {
      let kind = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      let length = Int(bytes.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self))
      guard kind != 0, length >= 8, length % 8 == 0, length <= count - position else { break }
      position += length
    }
    if position > begin { records.read(UnsafeRawBufferPointer(rebasing: bytes[begin..<position])) }
    tailed.length = position
    if chunk.isSealed, position != chunk.length {
      damage.append("The information chunk at byte \(chunk.offset) is damaged; a part of it was skipped.")
    }
    return !chunk.isSealed
  }

  /// Returns new events; false if there will be no more in this chunk.
  private func readEvents(_ tailed: inout TailedChunk, _ take: (EventBatch, UInt32) -> Void) throws -> Bool {
    guard let chunk = try chunk(at: tailed.offset) else { return false }
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    let begin = max(tailed.length, headerSize)
    if !chunk.isSealed, try byte(at: tailed.offset + Int64(begin)) == 0 { return tailed.length < chunkSize }
    let resumed = resume(tailed)
    let decoder = resumed ?? (chunk.isSealed ? self.decoder : freshDecoder())
    let count = try readBytes(of: chunk, from: resumed == nil ? 0 : begin, into: decoder.chunk)
    if chunk.isSealed, tailed.events == 0 {
      let contents = UnsafeRawBufferPointer(rebasing: decoder.chunk[min(headerSize, count)..<count])
      guard count == chunk.length, chunk.isIntact(contents) else {
        damage.append("The chunk at byte \(chunk.offset) is damaged (its checksum is wrong); its events were left out.")
        return false
      }
    }
    if let resumed {
      resumed.resume(length: count)
      give(chunk, resumed, &tailed, take)
    } else {
      decode(chunk, decoder, count, &tailed, take)
    }
    if chunk.isSealed {
      if tailed.length != chunk.length {
        damage.append(
          "The chunk at byte \(chunk.offset) does not end where its header says; some events may be missing.")
      }
      return false
    }
    guard let wrong = decoder.damage else {
      if tailed.length < chunkSize, backtraces.count < Self.backtraceLimit {
        resumable.append((tailed.offset, decoder))
        if resumable.count > Self.resumableLimit { resumable.removeFirst() }
      }
      return true
    }
    defer { tailed.obstacle = wrong.offset }
    guard tailed.obstacle == wrong.offset else { return true }
    damage.append(
      "The chunk at byte \(chunk.offset) is damaged at byte \(chunk.offset + Int64(wrong.offset)) (\(wrong.sentence)); "
        + "its later events were left out."
    )
    return false
  }

  private func byte(at place: Int64) throws -> UInt8 {
    var byte: UInt8 = 0
    return try withUnsafeMutableBytes(of: &byte) { try file.read(into: $0, at: place) } == 1 ? byte : 0
  }

  /// Removes and returns the decoder that is at the end of the events read in a chunk.
  private func resume(_ tailed: TailedChunk) -> StreamDecoder? {
    guard let index = resumable.firstIndex(where: { $0.offset == tailed.offset }) else { return nil }
    let decoder = resumable.remove(at: index).decoder
    // The backtraces it keeps belong to the table.
    let isUsable = backtraces.count < Self.backtraceLimit && tailed.events > 0
    return isUsable && decoder.decodedLength == tailed.length ? decoder : nil
  }

  private func freshDecoder() -> StreamDecoder {
    resumable.count == Self.resumableLimit
      ? resumable.removeFirst().decoder : StreamDecoder(chunkSize: chunkSize, frames: Int(header.frames))
  }

  /// Returns the events of a chunk from its beginning, except those already returned.
  private func decode(
    _ chunk: Chunk, _ decoder: StreamDecoder, _ count: Int, _ tailed: inout TailedChunk,
    _ take: (EventBatch, UInt32) -> Void
  ) {
    var event = Event()
    if tailed.events == 0, chunk.stream != BaseLineEncoder.stream, chunk.firstClock <= horizon {
      // Older events were returned with the base line.
      decoder.begin(length: count, clock: chunk.firstClock, thread: chunk.thread)
      while decoder.next(&event), event.clock <= horizon { tailed.events += 1 }
    }
    decoder.begin(length: count, clock: chunk.firstClock, thread: chunk.thread)
    for _ in 0..<tailed.events where !decoder.next(&event) { return }
    give(chunk, decoder, &tailed, take)
  }

  /// Returns the remaining events of a decoder.
  private func give(
    _ chunk: Chunk, _ decoder: StreamDecoder, _ tailed: inout TailedChunk, _ take: (EventBatch, UInt32) -> Void
  ) {
    let isKept = backtraces.count < Self.backtraceLimit
    let keeper = isKept ? kept : BacktraceKeeper()
    while true {
      batch.count = 0
      let last = decoder.fill(
        &batch, stream: Int(chunk.stream), sequence: UInt64(events + 1), watching: nothing, keeping: keeper)
      if !isKept { batch.backtraces.update(repeating: .empty, count: batch.count) }
      events += batch.count
      tailed.events += batch.count
      if !tables.sampleChanges.isEmpty { leaveOut() }
      if batch.count > 0 { take(batch, chunk.stream) }
      if last != .full { break }
    }
    tailed.length = decoder.decodedLength
  }
}
