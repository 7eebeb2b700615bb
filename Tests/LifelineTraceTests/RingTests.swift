import CLifelineFormat
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Traces that keep a limited amount of events, built byte by byte (lifeline_ring.h).
@Suite struct RingTests {
  private typealias Object = lifeline_base_object

  /// All events of a trace: kind, object, count, clock, thread, innermost site.
  private func events(_ trace: Trace) throws -> [String] {
    let reader = trace.events()
    var event = Event()
    var result: [String] = []
    while try reader.next(&event) {
      let site = reader.site(0).map { " at \(String($0.address, radix: 16))" } ?? ""
      result.append(
        "\(event.kind) \(String(event.object, radix: 16)) count \(event.count) clock \(event.clock) thread "
          + "\(event.thread)\(site)"
      )
    }
    #expect(reader.problems == [])
    return result
  }

  private func ring() -> TraceBuilder {
    var builder = TraceBuilder()
    builder.keepSize = 1 << 20
    builder.addClass(3, "App.Node")
    builder.addClass(4, "App.Job")
    return builder
  }

  @Test("Until something is dropped, a ring reads like any other trace")
  func fresh() throws {
    var builder = ring()
    builder.addEvents { $0.add(3, 0x1000, at: [0xA0], time: 1100, arguments: [3, 0]) }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(trace.recording.keep == .size(1 << 20) && trace.baseLine == nil && trace.problems == [])
      try #expect(events(trace) == ["allocate 1000 count -1 clock 1100 thread 1 at a0"])
    }
  }

  @Test("Older objects begin with their allocation, and with their count at the start of the kept events")
  func baseLine() throws {
    var builder = ring()
    builder.horizon = 5000
    builder.fold = 1 << 32
    builder.addBaseNodes([(0xA0, 0), (0xA1, 1), (0xB0, 0)])
    builder.addBaseObjects([
      Object(at: 0x2000, classID: 4, number: 7, born: 3000, changed: 4000, count: 2, thread: 2, backtrace: 3),
      Object(at: 0x1000, classID: 3, number: 4, born: 2000, changed: 4500, count: 3, backtrace: 2),
      // Freed, and irrelevant without zombies.
      Object(at: 0x3000, classID: 3, number: 5, born: 2000, changed: 2500, state: LIFELINE_BASE_FREED),
      // Its allocation was not seen.
      Object(at: 0x4000, classID: 0, number: 0, born: 0, changed: 2500),
    ])
    builder.addBaseTotals([0: 1234, 3: 40, 4: 7])
    builder.addEvents(clock: 5500, skippingChunks: 9) { $0.add(1, 0x1000, count: 4, at: [0xC0], time: 6000) }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(trace.problems == [])
      try #expect(
        events(trace) == [
          "allocate 1000 count -1 clock 2000 thread 1 at a1", "thread 0 count -1 clock 3000 thread 2",
          "allocate 2000 count -1 clock 3000 thread 2 at b0", "thread 0 count -1 clock 5000 thread 1",
          "base 1000 count 3 clock 5000 thread 1", "thread 0 count -1 clock 5000 thread 2",
          "base 2000 count 2 clock 5000 thread 2", "retain 1000 count 4 clock 6000 thread 1 at c0",
        ])
      let baseLine = try #require(trace.baseLine)
      #expect(baseLine.events == 1234 && baseLine.horizon == 5000)
      // The totals of the inactive side are ignored.
      #expect(baseLine.allocated == [3: 40, 4: 7])
      var numbers = ObjectNumbers(baseLine)
      #expect(numbers.unseen(ofClass: 3) == 39 && numbers.unseen(ofClass: 4) == 6)
      #expect([numbers.next(), numbers.next(), numbers.next()] == [4, 7, nil])
    }
  }

  @Test("An impossible number of older objects is reported and left out")
  func impossibleTotal() throws {
    var builder = ring()
    builder.horizon = 5000
    builder.fold = 1 << 32
    builder.addBaseTotals([0: .max, 3: .max, 4: 7])
    builder.addEvents(clock: 5500, skippingChunks: 9) { $0.add(3, 0x1000, time: 6000, arguments: [3, 0]) }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(
        trace.problems == [
          "The base line has an impossible number of objects of class 3 (18446744073709551615); it was left out."
        ])
      try #expect(events(trace) == ["allocate 1000 count -1 clock 6000 thread 1"])
      #expect(trace.baseLine?.allocated == [4: 7])
    }
  }

  @Test("An idle thread's events before the horizon read as if dropped, and the rest of its chunk is kept")
  func idleThread() throws {
    var builder = ring()
    builder.horizon = 5000
    builder.addBaseObjects([
      // Its free was dropped with another thread's chunk; its allocation is in the idle thread's chunk.
      Object(at: 0x1000, classID: 0, number: 0, born: 0, changed: 4000, state: LIFELINE_BASE_FREED)
    ])
    builder.addEvents(stream: 2, thread: 2, clock: 1000, sealed: false) {
      $0.add(3, 0x1000, at: [0xA0], time: 1100, arguments: [3, 0])
      $0.add(3, 0x2000, at: [0xA1], time: 1200, arguments: [3, 0])
      $0.add(1, 0x2000, count: 2, at: [0xA2], time: 1300)
      $0.add(2, 0x2000, count: 1, at: [0xA3], time: 7000)
    }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      try #expect(
        events(trace) == [
          "allocate 2000 count -1 clock 1200 thread 2 at a1", "base 2000 count 2 clock 5000 thread 2",
          "release 2000 count 1 clock 7000 thread 2 at a3",
        ])
      #expect(trace.baseLine?.allocated == [3: 2])
    }
  }

  /// What the chunks that are read last have of an object: `+` its allocation, `-` its free, each with its time.
  private struct LateEvents: Sendable {
    var chunks: [[String]]
    /// Of the object in the base line, 0 if its allocation was not seen.
    var born: UInt64 = 0
    var expected: [String] = []
  }

  private static let lateEvents = [
    LateEvents(chunks: [["+1100", "-3000"]]),
    LateEvents(chunks: [["-3000"], ["+1100"]]),
    LateEvents(chunks: [["-3000"]], born: 1100),
    // The event that was read first is of the next object.
    LateEvents(chunks: [["-2000", "+3000"]], expected: ["allocate clock 3000", "base clock 5000"]),
    LateEvents(chunks: [["-2000", "+3000"]], born: 1100, expected: ["allocate clock 3000", "base clock 5000"]),
    LateEvents(chunks: [["+3000"], ["-2000"]], born: 1100, expected: ["allocate clock 3000", "base clock 5000"]),
  ]

  @Test(
    "A free counts even if an event of a thread that was interrupted in a release has a later time",
    arguments: lateEvents)
  private func interruptedRelease(_ late: LateEvents) throws {
    var builder = ring()
    builder.horizon = 5000
    builder.addBaseObjects([
      Object(at: 0x1000, classID: late.born == 0 ? 0 : 3, number: 0, born: late.born, changed: 4000)
    ])
    for (index, events) in late.chunks.enumerated() {
      builder.addEvents(stream: UInt32(index + 1), thread: UInt32(index + 1), clock: 1000, sealed: false) {
        for event in events {
          let isBirth = event.first == "+"
          $0.add(isBirth ? 3 : 4, 0x1000, time: UInt64(event.dropFirst()), arguments: isBirth ? [3, 0] : [])
        }
      }
    }
    try builder.withFile { path in
      let found = try events(Trace(path: path)).map { $0.split(separator: " ") }.filter { $0[0] != "thread" }
      #expect(found.map { "\($0[0]) clock \($0[5])" } == late.expected)
    }
  }

  @Test("A chunk whose folding a kill interrupted is folded again, with the same result")
  func halfFolded() throws {
    var builder = ring()
    builder.horizon = 2000
    // The base line already has the first two events of the chunk; its totals do not.
    builder.addBaseObjects([
      Object(at: 0x1000, classID: 3, number: 1, born: 1100, changed: 1200, count: 2)
    ])
    builder.addBaseTotals([0: 0, 3: 0])
    builder.addEvents(clock: 1000) {
      $0.add(3, 0x1000, time: 1100, arguments: [3, 0])
      $0.add(1, 0x1000, count: 2, time: 1200)
      $0.add(1, 0x1000, count: 3, time: 1300)
      $0.add(3, 0x2000, time: 2000, arguments: [3, 0])
    }
    builder.addEvents(clock: 2100) { $0.add(2, 0x1000, count: 2, time: 2200) }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      try #expect(
        events(trace) == [
          "allocate 1000 count -1 clock 1100 thread 1", "allocate 2000 count -1 clock 2000 thread 1",
          "base 1000 count 3 clock 2000 thread 1", "base 2000 count 1 clock 2000 thread 1",
          "release 1000 count 2 clock 2200 thread 1",
        ])
      #expect(trace.baseLine?.allocated == [3: 2])
    }
  }

  @Test("A fully folded chunk that is still present is not folded twice")
  func folded() throws {
    var builder = ring()
    builder.horizon = 2000
    builder.fold = 1 << 32 | 4  // chunks: information, objects, totals, this one
    builder.addBaseObjects([Object(at: 0x1000, classID: 3, number: 1, born: 1100, changed: 1100)])
    builder.addBaseTotals([0: 1, 3: 1])
    builder.addEvents(clock: 1000) { $0.add(3, 0x1000, time: 1100, arguments: [3, 0]) }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(trace.baseLine?.allocated == [3: 1])
      try #expect(events(trace).count == 2)
    }
  }

  @Test("Caught problems are kept, with the class and both ends of the freed object")
  func findings() throws {
    var builder = ring()
    builder.flags = LIFELINE_FLAG_ZOMBIES
    builder.horizon = 5000
    builder.addBaseNodes([(0xA0, 0), (0xB0, 0), (0xC0, 0)])
    builder.addBaseObjects([
      Object(
        at: 0x1000, classID: 3, number: 1, born: 1100, changed: 1500, state: LIFELINE_BASE_FREED, backtrace: 1,
        endThread: 2, endBacktrace: 2)
    ])
    var finding = lifeline_base_finding()
    finding.clock = 3000
    finding.object = 0x1000
    finding.kind = 21
    finding.arguments = (2, 0, 0)
    finding.thread = 1
    finding.backtrace = 3
    builder.addBaseFindings([finding])
    try builder.withFile { path in
      try #expect(
        events(Trace(path: path)).filter { !$0.hasPrefix("thread") } == [
          "allocate 1000 count -1 clock 1100 thread 1 at a0", "free 1000 count -1 clock 1500 thread 2 at b0",
          "useAfterFree 1000 count -1 clock 3000 thread 1 at c0",
        ])
    }
  }

  @Test("Objects with several records of the same class get different numbers")
  func equalNames() throws {
    var builder = ring()
    builder.addClass(5, "App.Node")
    builder.horizon = 5000
    builder.addBaseObjects([
      Object(at: 0x1000, classID: 3, number: 1, born: 1100, changed: 1100),
      Object(at: 0x2000, classID: 5, number: 1, born: 1200, changed: 1200),
    ])
    builder.addBaseTotals([0: 9, 3: 10, 5: 2])
    try builder.withFile { path in
      var numbers = ObjectNumbers(try Trace(path: path).baseLine)
      #expect([numbers.next(), numbers.next(), numbers.next()] == [11, 12, nil])
    }
  }

  @Test("A base line with any wrong byte is read without a crash", arguments: 0..<200)
  func damage(_ seed: Int) throws {
    var builder = ring()
    builder.flags = LIFELINE_FLAG_ZOMBIES
    builder.horizon = 5000
    builder.addBaseNodes((0..<20).map { (0xA0 + UInt64($0), UInt32($0)) })
    var objects: [Object] = []
    for number: UInt32 in 1...20 {
      objects.append(
        Object(
          at: UInt64(number) << 12, classID: 3, number: number, born: 1000 + UInt64(number), changed: 2000,
          state: number % 3 + 1, backtrace: number, endThread: 1, endBacktrace: 2))
    }
    builder.addBaseObjects(objects)
    builder.addBaseTotals([0: 9, 3: 20])
    var finding = lifeline_base_finding()
    finding.kind = 21
    finding.object = 0x1000
    builder.addBaseFindings([finding])
    builder.addEvents(clock: 4000) {
      $0.add(3, 0x1000, time: 4500, arguments: [3, 0])
      $0.add(2, 0x1000, count: 0, time: 5500)
    }
    var generator = SeededGenerator(seed: UInt64(seed))
    try builder.withFile {
      for _ in 0..<20 {
        let chunk = TraceBuilder.offset(ofChunk: Int.random(in: 1...5, using: &generator))
        $0[chunk + 64 + Int.random(in: 0..<1300, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
    } _: { path in
      let reader = try Trace(path: path).events()
      var event = Event()
      while try reader.next(&event) { #expect(event.kind == .thread || event.object != 0) }
    }
  }

  @Test("Sizes and durations are read with their units")
  func limits() {
    #expect(KeepLimit("256MiB") == .size(256 << 20) && KeepLimit("1GiB") == .size(1 << 30))
    #expect(KeepLimit("2048KiB") == .size(2 << 20) && KeepLimit("2097152") == .size(2 << 20))
    #expect(KeepLimit("60s") == .time(60_000_000_000) && KeepLimit("5m") == .time(300_000_000_000))
    #expect(KeepLimit("60s")?.option == "60s" && KeepLimit("256MiB")?.option == "268435456")
    for wrong in [
      "", "MiB", "256MB", "1KiB", "1MiB", "0s", "-1s", "1.5GiB", "99999999999999999999", "18446744073709551615h",
      "300GiB",
    ] {
      #expect(KeepLimit(wrong) == nil)
    }
  }
}
