/// Reads the events of a trace in batches, with those of their backtraces that are worth keeping.
///
/// If there is another core, and enough to read, a thread reads ahead of the one that uses the events. The events are
/// the same either way.
public final class BatchReader {
  /// The unit of handing over: waking a thread costs as much as a few hundred events.
  private final class Block {
    static let capacity = 16
    /// Grows to the capacity: a short trace needs one.
    private(set) var batches: [EventBatch] = []
    var count = 0
    var problems: [String] = []
    var error: (any Error)?

    deinit { for batch in batches { batch.deallocate() } }

    /// Fills the next batch from a reader; false if there are no more events.
    func add(_ reader: EventReader, keepingBacktracesIn table: inout BacktraceTable) throws -> Bool {
      if count == batches.count { batches.append(EventBatch()) }
      guard try reader.next(&batches[count], keepingBacktracesIn: &table) else { return false }
      count += 1
      return true
    }
  }

  /// The state of the reading thread, used by others only when it has ended.
  private final class Source {
    let reader: EventReader
    var backtraces = BacktraceTable()

    init(_ reader: EventReader) { self.reader = reader }
  }

  private static let blocksAhead = 4

  private let source: Source
  private var ring: BufferRing<Block>?
  private var thread: ReadingThread?
  private var block = Block()
  private var position = 0
  private var isAtEnd = false
  /// Events returned so far.
  public private(set) var sequence: UInt64 = 0
  /// Sentences about damage met so far; each says what was left out.
  public private(set) var problems: [String] = []

  init(_ reader: EventReader, onThread isAhead: Bool) {
    source = Source(reader)
    guard isAhead else { return }
    let ring = BufferRing((0..<Self.blocksAhead).map { _ in Block() })
    thread = ReadingThread { [source] in Self.readAll(source, ring) }
    self.ring = thread == nil ? nil : ring
  }

  deinit {
    ring?.stop()
    thread?.join()
  }

  private static func readAll(_ source: Source, _ ring: BufferRing<Block>) {
    while let block = ring.nextEmpty() {
      read(source, block)
      let isLast = block.count < Block.capacity
      ring.handOver()
      if isLast { return }
    }
  }

  /// Fills a block; the last one is not full.
  private static func read(_ source: Source, _ block: Block) {
    block.count = 0
    do {
      while block.count < Block.capacity, try block.add(source.reader, keepingBacktracesIn: &source.backtraces) {}
    } catch { block.error = error }
    block.problems = source.reader.problems
  }

  /// Returns the next events, valid until the next call; nil if there are none.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public func next() throws -> EventBatch? {
    if position == block.count, !isAtEnd { try nextBlock() }
    guard position < block.count else {
      if let error = block.error { throw error }
      return nil
    }
    let batch = block.batches[position]
    position += 1
    sequence = batch.events[batch.count - 1].sequence
    return batch
  }

  private func nextBlock() throws {
    if let ring {
      if sequence > 0 { ring.giveBack() }
      block = ring.nextFilled()
    } else {
      Self.read(source, block)
    }
    position = 0
    problems = block.problems
    isAtEnd = block.count < Block.capacity
  }

  /// The kept backtraces. Call it when all events have been read.
  public func takeBacktraces() -> BacktraceTable {
    thread?.join()
    thread = nil
    defer { source.backtraces = BacktraceTable() }
    return source.backtraces
  }
}
