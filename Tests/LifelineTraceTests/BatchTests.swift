import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct BatchTests {
  /// What a reader returns for every event: the event and, where it is kept, its backtrace.
  private struct Reading: Equatable {
    var events: [Event] = []
    var backtraces: [[BacktraceEntry]] = []
    var problems: [String] = []
  }

  private func readOneByOne(_ path: String) throws -> Reading {
    let reader = try Trace(path: path).events()
    var (reading, event, table) = (Reading(), Event(), BacktraceTable())
    while try reader.next(&event) {
      reading.events.append(event)
      let backtrace = event.keepsBacktrace ? reader.intern(into: &table) : .empty
      reading.backtraces.append(table.entries(backtrace))
    }
    reading.problems = reader.problems
    return reading
  }

  private func readInBatches(_ path: String, ahead: Bool) throws -> Reading {
    let trace = try Trace(path: path)
    trace.eventsWorthThreads = ahead ? 0 : .max
    let reader = trace.batches()
    var (reading, kept) = (Reading(), [BacktraceID]())
    while let batch = try reader.next() {
      reading.events += UnsafeBufferPointer(start: batch.events, count: batch.count)
      kept += UnsafeBufferPointer(start: batch.backtraces, count: batch.count)
    }
    #expect(reader.sequence == reading.events.count)
    let table = reader.takeBacktraces()
    reading.backtraces = kept.map(table.entries)
    reading.problems = reader.problems
    return reading
  }

  @Test("Events read in batches match events read singly in order, times, counts and backtraces")
  func wholeTraces() throws {
    var random = SeededGenerator(seed: 12)
    for _ in Rounds.some(4) {
      var builder = TraceBuilder()
      for stream in 1...3 {
        for chunk in 0..<3 {
          builder.addEvents(stream: UInt32(stream), thread: UInt32(stream), clock: UInt64(1000 + chunk * 3000)) {
            events in
            for _ in 0..<400 {
              let object = UInt64.random(in: 1...40, using: &random) * 4080
              let path = (0..<UInt64.random(in: 0...4, using: &random)).map {
                0x100 + $0 * 16 + UInt64.random(in: 0...1, using: &random)
              }
              let time =
                Int.random(in: 0...3, using: &random) == 0
                ? events.lastClock + UInt64.random(in: 0...300, using: &random) : nil
              switch Int.random(in: 0...9, using: &random) {
              case 0: events.add(3, object, at: path, time: time, arguments: [1, 48])
              case 1: events.add(7, object, count: 0, at: path, time: time, arguments: [3])
              case 2: events.add(4, object, at: path, time: time)
              case 3...6: events.add(1, object, count: Int64.random(in: 0...3, using: &random), at: path, time: time)
              default: events.add(2, object, count: Int64.random(in: 0...3, using: &random), at: path, time: time)
              }
            }
          }
        }
      }
      try builder.withFile { path in
        let reading = try readInBatches(path, ahead: false)
        #expect(reading.events.count == 3600 && reading.problems == [])
        try #expect(reading == readOneByOne(path))
        try #expect(reading == readInBatches(path, ahead: true))
      }
    }
  }

  @Test("Partly invalid bytes are read the same in batches as singly")
  func noise() throws {
    var random = SeededGenerator(seed: 99)
    var total = 0
    for _ in Rounds.some(30) {
      var builder = TraceBuilder()
      for stream in 1...2 {
        builder.addEvents(stream: UInt32(stream), thread: UInt32(stream), sealed: false) {
          $0.add(3, 0x5000, at: [0x10, 0x20, 0x30], time: 1300, arguments: [1, 48])
          $0.add(1, 0x5000, count: 2, at: [0x10, 0x20, 0x31])
        }
      }
      try builder.withFile({ bytes in
        for chunk in 1...2 {
          var place = TraceBuilder.offset(ofChunk: chunk) + 64
          // After the two events, whose sites are defined with zeros.
          while bytes[place..<place + 8].contains(where: { $0 != 0 }) { place += 1 }
          while place < TraceBuilder.offset(ofChunk: chunk) + 6000 {
            for byte in Self.likelyBytes(&random) {
              bytes[place] = byte
              place += 1
            }
          }
        }
      }) { path in
        let reading = try readInBatches(path, ahead: false)
        total += reading.events.count
        try #expect(reading == readOneByOne(path))
        try #expect(reading == readInBatches(path, ahead: true))
      }
    }
    #expect(total > 10_000)
  }

  /// Mostly retains and releases of the same or a nearby object, with times, counts and backtrace changes in between.
  private static func likelyBytes(_ random: inout SeededGenerator) -> [UInt8] {
    func low() -> UInt8 { UInt8.random(in: 1...127, using: &random) }
    let kind = UInt8.random(in: 1...2, using: &random)
    return switch Int.random(in: 0...200, using: &random) {
    case 0: [UInt8.random(in: 1...255, using: &random)]
    case 1...60: [kind | 0x20]
    case 61...80: [kind | 0x30, low()]
    case 81...90: [kind | 0x30, low() | 0x80, low()]
    case 91...93: [kind | 0x30, low() | 0x80, low() | 0x80, low()]
    case 94...120: [kind, 0x80 | low() & 0x3F]
    case 121...140: [kind, 0xC0 | low() & 0x3F, low() & 3]
    case 141...143: [kind, 0xC0 | low() & 0x3F, low() | 0x80, low()]
    case 144...150: [kind | 0x60, low()]
    case 151...170: [kind | 0xA0, 0x11, low() & 1 + 1]
    case 171...175: [kind | 0xA0, 0x10]
    case 176...180: [kind | 0xA0, 0x03, 1, 2, 3]
    case 181...190: [kind | 0xA0, 0x01, 3]
    default: [kind | 0xA0, 0x21, low() & 1 + 1]
    }
  }
}
