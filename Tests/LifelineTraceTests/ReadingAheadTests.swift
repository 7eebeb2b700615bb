import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct ReadingAheadTests {
  /// Events and innermost sites, one by one, with or without reading ahead.
  private func reading(_ path: String, ahead: Bool) throws -> (events: [Event], sites: [UInt64?]) {
    let trace = try Trace(path: path)
    trace.eventsWorthThreads = 0
    let reader = trace.events(ahead: ahead)
    var (events, sites, event) = ([Event](), [UInt64?](), Event())
    while try reader.next(&event) {
      events.append(event)
      sites.append(reader.site(0)?.word)
    }
    let goesOn = try reader.next(&event)
    #expect(!goesOn, "reading past the end returns nothing, however often")
    #expect(reader.problems == [])
    return (events, sites)
  }

  @Test("Two reader threads read contending threads in the same order as one", arguments: 1...6)
  func contended(_ seed: Int) throws {
    var threads = RecordedThreads(seed: UInt64(seed))
    for _ in 0..<40_000 { threads.step() }
    try threads.builder.withFile { path in
      let (alone, ahead) = try (reading(path, ahead: false), reading(path, ahead: true))
      #expect(alone.events.count == 40_000)
      #expect(alone.events == ahead.events)
      #expect(alone.sites == ahead.sites)
    }
  }

  @Test("Two reader threads read a thread that first works alone and then contends in the same order as one")
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
    try builder.withFile { path in
      let (alone, ahead) = try (reading(path, ahead: false), reading(path, ahead: true))
      #expect(alone.events.count == 24_003)
      #expect(alone.events == ahead.events)
      #expect(alone.sites == ahead.sites)
    }
  }

  @Test("Readers abandoned midway end their threads", .timeLimit(.minutes(60)))
  func givenUp() throws {
    var threads = RecordedThreads(seed: 5)
    for _ in 0..<60_000 { threads.step() }
    try threads.builder.withFile { path in
      for _ in 0..<20 {
        let trace = try Trace(path: path)
        trace.eventsWorthThreads = 0
        let (reader, batches) = (trace.events(ahead: true), trace.batches())
        var event = Event()
        let hasNext = try reader.next(&event)
        #expect(hasNext)
        #expect(try batches.next()?.count == EventBatch.capacity)
      }
    }
  }
}
