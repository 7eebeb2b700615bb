/// A batch of events on its way from one thread to another; its owner must deallocate it.
///
/// Most events take 32 bytes here instead of 92: a core waits for each line of memory that another one has written.
struct PackedEvents {
  private struct Packed {
    var object: UInt64
    var clock: UInt64
    var count: Int32
    var backtrace: BacktraceID
    var thread: UInt32
    var stream: UInt16
    var kind: EventKind
    /// Whether it is the next one of `others`.
    var isOther: Bool
  }

  private let events: UnsafeMutablePointer<Packed>
  /// Events that do not fit.
  private var others: [Event] = []
  private var count = 0
  private var sequence: UInt64 = 0

  init() { events = .allocate(capacity: EventBatch.capacity) }

  func deallocate() { events.deallocate() }

  /// Replaces the events by those of a batch, which has some.
  mutating func pack(_ batch: EventBatch) {
    others.removeAll(keepingCapacity: true)
    count = batch.count
    sequence = batch.events[0].sequence
    var (task, queue) = (0 as UInt64, 0 as UInt32)
    for index in 0..<count {
      let event = batch.events + index
      let isOther = !Self.fits(event, task, queue)
      if isOther {
        others.append(event.pointee)
        (task, queue) = (event.pointee.task, event.pointee.queue)
      }
      (events + index).initialize(
        to: Packed(
          object: event.pointee.object, clock: event.pointee.clock,
          count: Int32(truncatingIfNeeded: event.pointee.count), backtrace: batch.backtraces[index],
          thread: event.pointee.thread,
          stream: UInt16(truncatingIfNeeded: event.pointee.stream), kind: event.pointee.kind, isOther: isOther))
    }
  }

  /// Arguments are rare, and other tasks and queues; those are the ones of the last event that did not fit.
  @inline(__always)
  private static func fits(_ event: UnsafePointer<Event>, _ task: UInt64, _ queue: UInt32) -> Bool {
    event.pointee.argument0 | event.pointee.argument1 | event.pointee.argument2 == 0 && event.pointee.task == task
      && event.pointee.queue == queue
      && event.pointee.count == Int64(Int32(truncatingIfNeeded: event.pointee.count))
      && event.pointee.stream >> 16 == 0
  }

  /// Writes the events into a batch.
  func unpack(into batch: inout EventBatch) {
    var (task, queue, other) = (0 as UInt64, 0 as UInt32, 0)
    for index in 0..<count {
      let (packed, event) = (events + index, batch.events + index)
      if packed.pointee.isOther {
        event.pointee = others[other]
        (task, queue) = (event.pointee.task, event.pointee.queue)
        other += 1
      } else {
        event.pointee.kind = packed.pointee.kind
        event.pointee.sequence = sequence &+ UInt64(index)
        event.pointee.object = packed.pointee.object
        event.pointee.count = Int64(packed.pointee.count)
        event.pointee.clock = packed.pointee.clock
        event.pointee.thread = packed.pointee.thread
        event.pointee.task = task
        event.pointee.queue = queue
        event.pointee.argument0 = 0
        event.pointee.argument1 = 0
        event.pointee.argument2 = 0
        event.pointee.stream = Int(packed.pointee.stream)
      }
      batch.backtraces[index] = packed.pointee.backtrace
    }
    batch.count = count
  }
}
