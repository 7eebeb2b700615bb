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
    /// Of the backtraces that were first seen in this block, the callers.
    var callers: [BacktraceID] = []

    deinit { for batch in batches { batch.deallocate() } }

    /// Fills the next batch from a reader; false if there are no more events.
    func add(_ reader: OrderedReader) throws -> Bool {
      if count == batches.count { batches.append(EventBatch()) }
      guard try reader.next(&batches[count]) else { return false }
      count += 1
      return true
    }
  }

  private static let blocksAhead = 4

  /// Used by the reading thread, and by others only when that has ended.
  private let source: OrderedReader
  private var ring: BufferRing<Block>?
  private var thread: ReadingThread?
  private var block = Block()
  private var position = 0
  private var isAtEnd = false
  /// Of the empty backtrace and those in blocks so far, by their numbers.
  private var callers = [BacktraceID.empty]
  /// Events returned so far.
  public private(set) var sequence: UInt64 = 0
  /// Sentences about damage met so far; each says what was left out.
  public private(set) var problems: [String] = []

  init(_ source: OrderedReader, onThread isAhead: Bool) {
    self.source = source
    guard isAhead else { return }
    let ring = BufferRing((0..<Self.blocksAhead).map { _ in Block() })
    thread = ReadingThread { [source] in Self.readAll(source, ring) }
    self.ring = thread == nil ? nil : ring
  }

  deinit {
    ring?.stop()
    thread?.join()
  }

  private static func readAll(_ source: OrderedReader, _ ring: BufferRing<Block>) {
    while let block = ring.nextEmpty() {
      read(source, block)
      let isLast = block.count < Block.capacity
      ring.handOver()
      if isLast { return }
    }
  }

  /// Fills a block; the last one is not full.
  private static func read(_ source: OrderedReader, _ block: Block) {
    block.count = 0
    let known = source.keeper.table.count
    do {
      while block.count < Block.capacity, try block.add(source) {}
    } catch { block.error = error }
    block.problems = source.problems
    if source.keeper.isForHistories { block.callers = source.keeper.table.callers(from: known) }
  }

  /// Without its innermost site, a backtrace of an event that was returned; only if those of chosen objects are kept.
  public func caller(of backtrace: BacktraceID) -> BacktraceID {
    let index = Int(backtrace.rawValue)
    return callers.indices.contains(index) ? callers[index] : .empty
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
    callers += block.callers
    isAtEnd = block.count < Block.capacity
  }

  /// The kept backtraces. Call it when all events have been read.
  public func takeBacktraces() -> BacktraceTable {
    thread?.join()
    thread = nil
    defer { source.keeper.table = BacktraceTable() }
    return source.keeper.table
  }
}
