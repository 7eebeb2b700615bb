import CLifelineFormat
import Foundation

/// Builds traces byte by byte from the format's diagrams, independently of the recorder.
public struct TraceBuilder {
  public static let chunkSize = 65536
  /// Bytes of each chunk; at least 4096.
  public var chunkSize = Self.chunkSize
  public var end: (kind: UInt32, value: UInt32) = (1, 0)
  public var stopReason: UInt32 = 0
  public var flags: UInt32 = 0
  public var frames: UInt32 = 64
  public var sample: UInt32 = 0
  public var counters: [Int: UInt64] = [:]
  /// For a ring: the number of bytes kept, the clock before which events were dropped, and which part of the base line
  /// is valid.
  public var keepSize: UInt64 = 0
  public var horizon: UInt64 = 0
  public var fold: UInt64 = 0
  private var records: [UInt8] = []
  private var chunks:
    [(
      magic: UInt32, stream: UInt32, sequence: UInt64, thread: UInt32, clock: UInt64, contents: [UInt8], events: UInt32,
      last: UInt64, sealed: Bool
    )] = []
  private var sequences: [UInt32: UInt64] = [:]

  public init() {
    addRecord(1, Self.word(1) + Self.string("/bin/app") + Self.string("app"))
    addRecord(11, Self.word(1) + Self.word(0) + Self.string("/lib/libswiftCore.so") + Self.string(""))
    for name in ["swift_retain", "swift_release", "swift_allocObject", "swift_deallocObject"] {
      addRecord(9, Self.word(1) + Self.word(0) + Self.string(name))
    }
    addThread(1, name: "app")
  }

  public mutating func addClass(_ id: UInt32, _ name: String, size: UInt32 = 32, flags: UInt32 = 1) {
    addRecord(
      4,
      Self.word(id) + Self.word(flags) + Self.long(0x1000 * UInt64(id)) + Self.long(0) + Self.word(size) + Self.word(0)
        + Self.string(name))
  }

  /// Adds an image that was mapped from the start.
  public mutating func addImage(_ id: UInt32, _ path: String, addresses: Range<UInt64>, flags: UInt32 = 0) {
    addRecord(
      2,
      Self.word(id) + Self.word(flags) + Self.long(0) + Self.long(addresses.lowerBound)
        + Self.long(addresses.upperBound)
        + Self.long(0) + Self.word(0) + Self.string(path))
  }

  public mutating func addThread(_ number: UInt32, name: String) {
    addRecord(5, Self.word(number) + Self.word(number == 1 ? 4711 : 4000 + number) + Self.long(0) + Self.string(name))
  }

  public mutating func addString(_ id: UInt32, _ text: String) {
    addRecord(8, Self.word(id) + Self.word(0) + Self.string(text))
  }

  /// Adds a change of the sample to one object in `denominator`.
  public mutating func addSampleChange(to denominator: UInt32, clock: UInt64) {
    addRecord(15, Self.word(denominator) + Self.word(0) + Self.long(clock))
  }

  /// Adds a record of any kind, to test how a reader handles it.
  public mutating func addRecord(_ kind: UInt32, _ contents: [UInt8]) {
    var padded = contents
    while padded.count % 8 != 0 { padded.append(0) }
    records += Self.word(kind) + Self.word(UInt32(padded.count + 8)) + padded
  }

  /// Adds one chunk of events to a stream.
  public mutating func addEvents(
    stream: UInt32 = 1, thread: UInt32 = 1, clock: UInt64 = 1000, sealed: Bool = true, skippingChunks: UInt64 = 0,
    _ fill: (inout StreamBuilder) -> Void
  ) {
    var builder = StreamBuilder(number: stream, thread: thread, clock: clock)
    fill(&builder)
    let sequence = sequences[stream, default: 0] + skippingChunks
    sequences[stream] = sequence + 1
    chunks.append(
      (0x454C_4C4C, stream, sequence, thread, clock, builder.bytes, builder.events, builder.lastClock, sealed))
  }

  /// Adds a chunk that is never sealed and does not contain events.
  mutating func addChunk(magic: UInt32, stream: UInt32, contents: [UInt8]) {
    chunks.append((magic, stream, 0, 0, 1000, contents, 0, 1000, false))
  }

  /// The bytes of the whole file.
  public var bytes: [UInt8] {
    var all = chunks
    all.insert((0x494C_4C4C, 0, 0, 0, 1000, records, 0, 1000, true), at: 0)
    var header = lifeline_file_header()
    withUnsafeMutableBytes(of: &header.magic) { $0.copyBytes(from: Array("LIFELINE".utf8)) }
    header.version = LIFELINE_VERSION
    header.header_size = 4096
    header.chunk_size = UInt32(chunkSize)
    header.architecture = 62
    header.process = 4711
    header.parent = 1
    header.session = 7
    header.start_clock = 1000
    header.start_monotonic = 0
    header.end_clock = 1_001_000
    header.end_monotonic = 1_000_000
    header.state = stopReason == 0 ? 2 : 3
    header.stop_reason = stopReason
    header.end = end.kind
    header.end_value = end.value
    header.chunks = UInt32(all.count)
    header.frames = frames
    header.flags = flags
    header.sample = sample
    if keepSize > 0 { header.flags |= LIFELINE_FLAG_RING }
    header.keep_size = keepSize
    header.horizon = horizon
    header.fold = fold
    withUnsafeMutableBytes(of: &header.counters) { bytes in
      for (index, value) in counters { bytes.storeBytes(of: value, toByteOffset: index * 8, as: UInt64.self) }
    }
    var file = withUnsafeBytes(of: header) { Array($0) }
    file += [UInt8](repeating: 0, count: 4096 - file.count)
    for chunk in all {
      var raw = lifeline_chunk_header()
      raw.magic = chunk.magic
      raw.stream = chunk.stream
      raw.sequence = chunk.sequence
      raw.thread = chunk.thread
      raw.first_clock = chunk.clock
      if chunk.sealed {
        raw.sealed = 1
        raw.length = UInt32(64 + chunk.contents.count)
        raw.events = chunk.events
        raw.last_clock = chunk.last
        raw.checksum = lifeline_sum(chunk.contents, UInt64(chunk.contents.count))
        raw.header_checksum = lifeline_sum(&raw, UInt64(LIFELINE_CHUNK_HEADER_SUMMED))
      }
      let whole = withUnsafeBytes(of: raw) { Array($0) } + chunk.contents
      file += whole + [UInt8](repeating: 0, count: chunkSize - whole.count)
    }
    return file
  }

  /// Writes the file into a new temporary folder and passes its path to `body`.
  public func withFile<Result>(_ change: (inout [UInt8]) -> Void = { _ in }, _ body: (String) throws -> Result) throws
    -> Result
  {
    var bytes = bytes
    change(&bytes)
    return try Self.withFile(containing: bytes, body)
  }

  public static func withFile<Result>(containing bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("app.lifeline").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try body(path)
  }

  static func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
  static func long(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
  static func string(_ text: String) -> [UInt8] { word(UInt32(text.utf8.count)) + Array(text.utf8) }
}
