import CLifelineFormat

/// One chunk of a trace: its location and its header.
struct Chunk {
  let offset: Int64
  let stream: UInt32
  let sequence: UInt64
  let thread: UInt32
  let firstClock: UInt64
  /// Whether it was completed, so that its checksum, `events` and `lastClock` are valid.
  let isSealed: Bool
  /// Bytes that belong to it, including its header; for an open chunk the maximum.
  let length: Int
  let events: Int
  let lastClock: UInt64
  let checksum: UInt64
  /// Events at its beginning that the base line already contains, so they are skipped.
  var passed = 0

  /// Nil if the header is damaged.
  init?(_ raw: lifeline_chunk_header, offset: Int64, chunkSize: Int) {
    var sealed = raw
    sealed.sealed = 1
    let sum = withUnsafeBytes(of: sealed) { lifeline_sum($0.baseAddress, UInt64(LIFELINE_CHUNK_HEADER_SUMMED)) }
    // The checksum decides, not the flag: a recorder that was killed between writing the two had sealed it.
    isSealed = sum == raw.header_checksum
    let isWhole = Int(LIFELINE_CHUNK_HEADER_SIZE)...chunkSize ~= Int(raw.length)
    guard isSealed ? isWhole : raw.sealed == 0 else { return nil }
    self.offset = offset
    stream = raw.stream
    sequence = raw.sequence
    thread = raw.thread
    firstClock = raw.first_clock
    length = isSealed ? Int(raw.length) : chunkSize
    events = Int(raw.events)
    lastClock = raw.last_clock
    checksum = raw.checksum
  }

  /// Whether the contents, the bytes after the header, are unchanged since sealing.
  func isIntact(_ contents: UnsafeRawBufferPointer) -> Bool {
    lifeline_sum(contents.baseAddress, UInt64(contents.count)) == checksum
  }
}
