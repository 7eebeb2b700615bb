import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct MergeTests {
  @Test("Sixty streams with several chunks each are merged by time, then stream, then position")
  func manyStreams() throws {
    var random = SeededGenerator(seed: 7)
    var builder = TraceBuilder()
    var expected: [(clock: UInt64, stream: UInt32, position: Int)] = []
    for stream in UInt32(1)...60 {
      var clock = UInt64.random(in: 1000..<3000, using: &random)
      var position = 0
      for _ in 0..<3 {
        builder.addEvents(stream: stream, thread: stream, clock: clock) { events in
          for _ in 0..<20 {
            let isTimed = Bool.random(using: &random)
            if isTimed { clock += UInt64.random(in: 0..<40, using: &random) }
            events.add(
              1, UInt64(stream) << 32 | UInt64(position + 1) << 4, count: 2,
              at: [UInt64(stream) << 16 | UInt64(position)], time: isTimed ? clock : nil)
            expected.append((clock, stream, position))
            position += 1
          }
        }
      }
    }
    expected.sort { ($0.clock, $0.stream, $0.position) < ($1.clock, $1.stream, $1.position) }
    let lines = try builder.withFile { try listing($0) }
    #expect(
      lines
        == expected.enumerated().map { index, event in
          let object = UInt64(event.stream) << 32 | UInt64(event.position + 1) << 4
          let site = UInt64(event.stream) << 16 | UInt64(event.position)
          return
            "\(index + 1) retain \(String(object, radix: 16)) 2 @\(event.clock) t\(event.stream) "
            + "[\(String(site, radix: 16))]"
        })
  }

  @Test("A stream without events in its first chunks, or at all, does not block the others")
  func emptyChunks() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1, clock: 1000) { _ in }
    builder.addEvents(stream: 1, thread: 1, clock: 1000) { $0.add(1, 0x5000, count: 3, time: 1030) }
    builder.addEvents(stream: 2, thread: 2, clock: 1000) { _ in }
    builder.addEvents(stream: 3, thread: 3, clock: 1000) { $0.add(1, 0x5000, count: 2, time: 1020) }
    builder.addEvents(stream: 3, thread: 3, clock: 1040) { $0.add(2, 0x5000, count: 2, time: 1040) }
    try builder.withFile { path in
      try #expect(
        listing(path) == ["1 retain 5000 2 @1020 t3 []", "2 retain 5000 3 @1030 t1 []", "3 release 5000 2 @1040 t3 []"])
      let reader = try Trace(path: path).events()
      var event = Event()
      while try reader.next(&event) {}
      try #expect(!reader.next(&event), "reading past the end returns nothing")
      #expect(reader.site(0) == nil)
      #expect(reader.problems == [])
    }
  }

  @Test("A trace without events yields none")
  func noEvents() throws {
    try TraceBuilder().withFile { path in
      let reader = try Trace(path: path).events()
      var event = Event()
      try #expect(!reader.next(&event))
      #expect(reader.sequence == 0 && reader.site(0) == nil)
    }
  }
}
