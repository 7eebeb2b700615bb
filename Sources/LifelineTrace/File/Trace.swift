import CLifelineFormat

/// An open trace: its header and tables, and access to its events.
///
///     let trace = try Trace(path: "app.4711.lifeline")
///     let reader = trace.events()
///     var event = Event()
///     while try reader.next(&event) { … }
public final class Trace {
  public let path: String
  public let recording: Recording
  public let tables: TraceTables
  /// Sentences about damage in the file, except in its events (`EventReader.problems`).
  public let problems: [String]

  let file: any TraceContents
  let header: lifeline_file_header
  let index: ChunkIndex
  /// What took long to decide, for the next reading.
  let orders = DecidedOrders()
  /// The state before the kept events; nil if none were dropped.
  public let baseLine: BaseLine?
  /// The base line as events, if there is one.
  private let older: MemoryContents?

  /// Opens a plain trace; compact ones are opened by LifelineCompaction.
  ///
  /// - Throws: `TraceError` if the file cannot be read or is not a trace of this version.
  public convenience init(path: String) throws { try self.init(TraceFile(path: path)) }

  /// Reads the facts about the whole process.
  ///
  /// - Throws: `TraceError` if the bytes cannot be read or are not a trace of this version.
  public init(_ contents: any TraceContents) throws {
    path = contents.path
    file = contents
    var parts = try TraceParts(contents)
    // In a running process a chunk may be dropped while this is read; then the base line contains what is in none of
    // the chunks.
    for _ in 0..<Self.attempts {
      let header = try Self.readHeader(contents)
      if header.fold == parts.header.fold, header.horizon == parts.header.horizon { break }
      parts = try TraceParts(contents)
    }
    header = parts.header
    recording = Recording(header)
    index = parts.index
    tables = parts.tables
    problems = parts.problems.sentences
    baseLine = parts.baseLine
    older = parts.older
  }

  private static let attempts = 10

  /// The contents with the chunks of an event stream.
  func contents(ofStream number: UInt32) -> any TraceContents {
    if let older, number == BaseLineEncoder.stream { older } else { file }
  }

  /// Events in completed chunks, according to their headers, without reading them.
  public var completedEvents: Int {
    index.streams.values.reduce(0) { $0 + $1.reduce(0) { $0 + ($1.isSealed ? $1.events : 0) } }
  }

  /// Reads the events of all threads in order; each call starts from the beginning.
  public func events() -> EventReader { EventReader(self, filter: filter) }

  /// Reads them in batches, ahead of their use if that is worthwhile; each call starts from the beginning.
  ///
  /// The backtraces of the events of some objects are kept, or else those of events with `Event.keepsBacktrace`;
  /// `classes` are numbers of classes whose allocations' backtraces are kept as well.
  public func batches(
    keepingBacktracesOf objects: BloomFilter? = nil, allocationsOf classes: BloomFilter? = nil
  ) -> BatchReader {
    let keeper = BacktraceKeeper(of: objects, allocationsOf: classes)
    return BatchReader(OrderedReader(self, filter: filter, keeping: keeper), onThread: isWorthThreads)
  }

  /// A thread takes time to start, and without its own core it gains nothing.
  private var isWorthThreads: Bool { completedEvents >= eventsWorthThreads && ReadingThread.hasSeveralCores }
  /// A trace with fewer events is read by one thread.
  public var eventsWorthThreads = 500_000

  /// For a recording with a shrinking sample: the objects recorded from beginning to end.
  private lazy var filter: SampleFilter? = {
    guard !tables.sampleChanges.isEmpty else { return nil }
    let reader = EventReader(self, filter: nil)
    var event = Event()
    var caught: Set<UInt64> = []
    while (try? reader.next(&event)) == true { if event.kind.isCaught { caught.insert(event.object) } }
    return SampleFilter(denominator: recording.sample, exempt: caught)
  }()

  /// Bytes of each chunk of a trace.
  ///
  /// - Throws: `TraceError` if the file is not a trace of this version.
  public static func chunkSize(of file: any TraceContents) throws -> Int { try Int(readHeader(file).chunk_size) }

  static func readHeader(_ file: any TraceContents) throws -> lifeline_file_header {
    if file.size == 0 { throw TraceError("The file \(file.path) is empty, so it is not a trace.") }
    var header = lifeline_file_header()
    let count = try withUnsafeMutableBytes(of: &header) { try file.read(into: $0, at: 0) }
    let magic = withUnsafeBytes(of: header.magic) { Array($0) }
    guard magic.elementsEqual(LIFELINE_MAGIC.utf8) else {
      throw TraceError("The file \(file.path) is not a Lifeline trace.")
    }
    guard count == MemoryLayout<lifeline_file_header>.size, file.size >= Int64(LIFELINE_HEADER_SIZE) else {
      throw TraceError("The trace \(file.path) is cut off within its header; nothing in it can be read.")
    }
    if header.version & LIFELINE_VERSION_COMPACT != 0 {
      throw TraceError(
        "The trace \(file.path) is compact and cannot be read here; restore it with `lifeline compact --expand`.")
    }
    guard header.version == LIFELINE_VERSION else {
      throw TraceError(
        "The trace \(file.path) has version \(header.version), but this lifeline reads version \(LIFELINE_VERSION); "
          + "read it with the lifeline that recorded it."
      )
    }
    guard header.header_size == LIFELINE_HEADER_SIZE, header.chunk_size >= 4096, header.chunk_size % 4096 == 0,
      header.chunk_size <= 64 << 20, (1...1024).contains(header.frames)
    else { throw TraceError("The header of the trace \(file.path) is damaged; nothing in it can be read.") }
    return header
  }
}
