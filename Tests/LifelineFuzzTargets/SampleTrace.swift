import CLifelineFormat
import LifelineTraceBuilder

/// A valid trace with events of most kinds, in three chunks of two threads.
enum SampleTrace {
  static let bytes = builder(chunks: 3).bytes

  /// A flight recorder's trace that has dropped events.
  static let ring: [UInt8] = {
    var builder = Self.builder(chunks: 1)
    builder.keepSize = 1 << 20
    builder.horizon = 1010
    builder.fold = 1 << 32
    builder.addBaseNodes([(0x10, 0), (0x20, 1)])
    builder.addBaseObjects([
      lifeline_base_object(at: 0x9000, classID: 1, number: 3, born: 900, changed: 950, count: 2, backtrace: 2),
      lifeline_base_object(at: 0x9100, classID: 2, number: 4, born: 910, changed: 960, count: 1, thread: 2),
    ])
    builder.addBaseTotals([0: 100, 1: 5, 2: 6])
    return builder.bytes
  }()

  /// A shorter trace, with the given bytes as its heap snapshot.
  static func bytes(heap: [UInt8]) -> [UInt8] {
    var builder = builder(chunks: 1)
    builder.chunkSize = TraceBuilder.chunkSize
    let head = [0, 1, UInt32(heap.count)].flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    builder.addRecord(LIFELINE_RECORD_heap.rawValue, head + heap)
    return builder.bytes
  }

  /// The smallest, because readers allocate as much for each stream.
  static let chunkSize = 4096

  private static func builder(chunks: Int) -> TraceBuilder {
    var builder = TraceBuilder()
    builder.chunkSize = chunkSize
    builder.addClass(1, "App.Node")
    builder.addClass(2, "App.Leaf", size: 48)
    builder.addImage(2, "/bin/app", addresses: 0x10..<0x10000)
    builder.addThread(2, name: "worker")
    for chunk in 0..<chunks {
      let stream = UInt32(chunk % 2 + 1)
      builder.addEvents(stream: stream, thread: stream, clock: UInt64(1000 + chunk * 1000)) { events in
        // Few objects: a report does the same work for each, and an input should take a millisecond.
        for index in 0..<2 {
          let address = UInt64(0x5000 + chunk * 0x1000 + index * 64)
          events.add(3, address, at: [0x10, 0x20], time: events.lastClock + 3, arguments: [UInt64(index % 2 + 1), 0])
          events.add(1, address, count: 2, at: [0x10, 0x20, 0x30 + UInt64(index)])
          events.add(6, address, count: 3, at: [0x10, 0x20, 0x30 + UInt64(index)], arguments: [2])
          events.add(11, address, count: 4, at: [0x10], time: events.lastClock + 1, arguments: [0x7000, 1])
          events.add(7, address, count: 1, at: [0x10, 0x40], arguments: [3])
          events.add(2, address, count: 0, at: [0x10])
          events.add(5, address, at: [0x10], time: events.lastClock + 1)
          events.add(21, address, arguments: [1, UInt64.max, 0])
          if index > 0 { events.add(4, address, at: [0x10]) }
        }
      }
    }
    return builder
  }

  /// The file's header, and the chunks' headers with the bytes that follow.
  static let ranges: [Range<Int>] =
    [0..<384]
    + (0..<4).map { index in
      let start = TraceBuilder.offset(ofChunk: index, chunkSize: chunkSize)
      return start..<start + 400
    }
}
