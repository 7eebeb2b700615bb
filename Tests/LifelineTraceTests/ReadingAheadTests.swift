import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct ReadingAheadTests {
  /// Events and innermost sites, one by one.
  private func reading(_ path: String) throws -> (events: [Event], sites: [[UInt64]]) {
    let reader = try Trace(path: path).events()
    var (events, sites, event, table) = ([Event](), [[UInt64]](), Event(), BacktraceTable())
    while try reader.next(&event) {
      events.append(event)
      let backtrace = reader.intern(into: &table)
      sites.append(table.entries(backtrace).map(\.word))
    }
    let goesOn = try reader.next(&event)
    #expect(!goesOn, "reading past the end returns nothing, however often")
    #expect(reader.problems == [])
    return (events, sites)
  }

  /// Events and the backtraces of some objects, in batches, with or without a thread that reads ahead.
  private func batches(
    _ path: String, of objects: [UInt64], ahead: Bool
  ) throws -> (events: [Event], sites: [[UInt64]]) {
    let trace = try Trace(path: path)
    trace.eventsWorthThreads = ahead ? 0 : .max
    let reader = trace.batches(keepingBacktracesOf: BloomFilter(objects))
    var (events, kept, callers) = ([Event](), [BacktraceID](), [BacktraceID]())
    while let batch = try reader.next() {
      events += UnsafeBufferPointer(start: batch.events, count: batch.count)
      let backtraces = UnsafeBufferPointer(start: batch.backtraces, count: batch.count)
      kept += backtraces
      callers += backtraces.map(reader.caller)
    }
    #expect(reader.problems == [])
    let table = reader.takeBacktraces()
    #expect(callers == kept.map(table.caller), "callers are known before the table is")
    return (events, kept.map { table.entries($0).map(\.word) })
  }

  private func compare(_ path: String, events count: Int, objects: [UInt64]) throws {
    let single = try reading(path)
    #expect(single.events.count == count)
    let chosen = Set(objects)
    for ahead in [false, true] {
      let batches = try batches(path, of: objects, ahead: ahead)
      #expect(batches.events == single.events)
      for (index, event) in single.events.enumerated() where chosen.contains(event.object) {
        #expect(batches.sites[index] == single.sites[index])
      }
    }
  }

  @Test("A thread that reads ahead reads contending threads in the same order", arguments: 1...6)
  func contended(_ seed: Int) throws {
    var threads = RecordedThreads(seed: UInt64(seed))
    for _ in 0..<40_000 { threads.step() }
    try threads.builder.withFile { path in
      let objects = try Set(reading(path).events.map(\.object)).sorted()
      try compare(path, events: 40_000, objects: objects.filter { $0 % 32 == 0 })
    }
  }

  @Test("A thread that reads ahead reads one that first works alone and then contends in the same order")
  func alone() throws {
    var builder = TraceBuilder()
    for chunk in UInt64(0)..<12 {
      builder.addEvents(stream: 1, thread: 1, clock: 2000 + chunk << 28) {
        for index in UInt64(0)..<2000 {
          $0.add(
            index % 2 == 0 ? 1 : 2, 0x7000, count: index % 2 == 0 ? 2 : 1, at: [0x10, 0x20 + index % 5],
            time: 2000 + chunk << 28 + index)
        }
      }
    }
    builder.addEvents(stream: 2, thread: 2, clock: 100) {
      $0.add(3, 0x6000, time: 1000, arguments: [1, 0])
      $0.add(1, 0x6000, count: 2, time: 5 << 28)
      $0.add(1, 0x6000, count: 3, time: 11 << 28)
    }
    try builder.withFile { try compare($0, events: 24_003, objects: [0x6000, 0x7000]) }
  }

  @Test("A thread that works alone until it meets another one's object is read in the same order", arguments: [3, 700])
  func meeting(_ place: UInt64) throws {
    var builder = TraceBuilder()
    for chunk in UInt64(0)..<8 {
      builder.addEvents(stream: 1, thread: 1, clock: 2000 + chunk << 28) {
        for index in UInt64(0)..<1500 {
          let object: UInt64 = chunk % 3 == 2 && index >= place && index < place + 2 ? 0x6000 : 0x7000
          $0.add(
            index % 2 == place % 2 ? 1 : 2, object, at: [0x10, 0x20 + index % 7], time: 2000 + chunk << 28 + index)
        }
      }
    }
    builder.addEvents(stream: 2, thread: 2, clock: 100) {
      $0.add(3, 0x6000, at: [0x40], time: 1000, arguments: [1, 0])
      $0.add(1, 0x6000, at: [0x41], time: 7 << 28)
      $0.add(2, 0x6000, at: [0x42, 0x43], time: 9 << 28)
    }
    try builder.withFile { try compare($0, events: 12_003, objects: [0x6000, 0x7000]) }
  }

  @Test("Readers abandoned midway end their threads", .timeLimit(.minutes(60)))
  func givenUp() throws {
    var threads = RecordedThreads(seed: 5)
    // More than the reading thread is ahead.
    for _ in 0..<60_000 { threads.step() }
    try threads.builder.withFile { path in
      for _ in 0..<20 {
        let trace = try Trace(path: path)
        trace.eventsWorthThreads = 0
        #expect(try trace.batches().next()?.count == EventBatch.capacity)
        let reader = trace.batches()
        #expect(try reader.next()?.count == EventBatch.capacity)
        _ = reader.takeBacktraces()
      }
    }
  }
}
