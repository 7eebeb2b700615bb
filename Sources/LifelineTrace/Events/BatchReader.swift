/// Reads the events of a trace in batches, with those of their backtraces that are worth keeping.
///
/// If there is another core, and enough to read, a thread reads ahead of the one that uses the events. The events are
/// the same either way.
public final class BatchReader {
  /// The unit of handing over: waking a thread costs as much as hundreds of events.
  private final class Block {
    static let capacity = 64
    /// Grows to the capacity: a short trace needs one.
    private(set) var batches: [PackedEvents] = []
    var count = 0
    var problems: [String] = []
    var error: (any Error)?
    /// Of the backtraces that were first seen in this block, the callers.
    var callers: [BacktraceID] = []

    deinit { for batch in batches { batch.deallocate() } }

    func add(_ batch: EventBatch) {
      if count == batches.count { batches.append(PackedEvents()) }
      batches[count].pack(batch)
      count += 1
    }
  }

  private static let blocksAhead = 4

  /// Used by the reading thread, and by others only when that has ended.
  private let source: OrderedReader
  private var ring: BufferRing<Block>?
  private var thread: ReadingThread?
  private var block = Block()
  private var position = 0
  private var batch = EventBatch()
  private var isAtEnd = false
  /// Of the empty backtrace and those so far, by their numbers.
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
    batch.deallocate()
  }

  private static func readAll(_ source: OrderedReader, _ ring: BufferRing<Block>) {
    var batch = EventBatch()
    defer { batch.deallocate() }
    while let block = ring.nextEmpty() {
      block.count = 0
      let known = source.keeper.table.count
      do {
        while block.count < Block.capacity, try source.next(&batch) { block.add(batch) }
      } catch { block.error = error }
      block.problems = source.problems
      block.callers = source.newCallers(from: known)
      let isLast = block.count < Block.capacity
      ring.handOver()
      if isLast { return }
    }
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
    guard let ring else { return try nextOfSource() }
    if position == block.count, !isAtEnd { nextBlock(ring) }
    guard position < block.count else {
      if let error = block.error { throw error }
      return nil
    }
    block.batches[position].unpack(into: &batch)
    position += 1
    sequence = batch.events[batch.count - 1].sequence
    return batch
  }

  private func nextOfSource() throws -> EventBatch? {
    defer { problems = source.problems }
    let known = source.keeper.table.count
    guard try source.next(&batch) else { return nil }
    callers += source.newCallers(from: known)
    sequence = batch.events[batch.count - 1].sequence
    return batch
  }

  private func nextBlock(_ ring: BufferRing<Block>) {
    if sequence > 0 { ring.giveBack() }
    block = ring.nextFilled()
    position = 0
    problems = block.problems
    callers += block.callers
    isAtEnd = block.count < Block.capacity
  }

  /// The kept backtraces. Call it when all events have been read.
  public func takeBacktraces() -> BacktraceTable {
    ring?.stop()
    thread?.join()
    thread = nil
    defer { source.keeper.table = BacktraceTable() }
    return source.keeper.table
  }
}
