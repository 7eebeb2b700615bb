import LifelineTrace
import LifelineTraceBuilder
import Testing

/// One line per event, so that expected text reads like a trace.
func listing(_ path: String) throws -> [String] {
  let reader = try Trace(path: path).events()
  var event = Event()
  var lines: [String] = []
  while try reader.next(&event) {
    var sites: [String] = []
    var index = 0
    while let site = reader.site(index) {
      sites.append(site.isTruncation ? "…" : site.isGap ? "?" : String(site.address, radix: 16))
      index += 1
    }
    lines.append(
      "\(event.sequence) \(event.kind) \(String(event.object, radix: 16)) \(event.count) @\(event.clock) "
        + "t\(event.thread) [\(sites.joined(separator: " "))]"
    )
  }
  return lines
}

@Suite struct EventReaderTests {
  @Test("Events have their object, count, time and backtrace")
  func decoding() throws {
    var builder = TraceBuilder()
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10, 0x20], time: 1010, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2, at: [0x10, 0x30], time: 1020)
      $0.add(1, 0x5000, count: 3, at: [0x10, 0x30])
      $0.add(2, 0x5000, count: 2, at: [0x10])
      $0.add(1, 0x9000, count: 7, at: [0x10, 0x30], time: 1100)
      $0.add(2, 0x5000, count: 1, at: [0x10, 0x30])
    }
    try builder.withFile { path in
      try #expect(
        listing(path) == [
          "1 allocate 5000 -1 @1010 t1 [20 10]",
          "2 retain 5000 2 @1020 t1 [30 10]",
          "3 retain 5000 3 @1020 t1 [30 10]",
          "4 release 5000 2 @1020 t1 [10]",
          "5 retain 9000 7 @1100 t1 [30 10]",
          "6 release 5000 1 @1100 t1 [30 10]",
        ])
    }
  }

  @Test("A backtrace change that repeats an earlier sequence is predicted and takes no space")
  func predictions() throws {
    var stream = StreamBuilder(number: 1, thread: 1, clock: 1000)
    let loop: [[UInt64]] = [[0x10, 0x20, 0x30], [0x10, 0x20], [0x10, 0x40, 0x30], [0x10, 0x40]]
    for _ in 0..<2 { for at in loop { stream.add(1, 0x5000, count: 2, at: at) } }
    let learned = stream.bytes.count
    for _ in 0..<10 { for at in loop { stream.add(1, 0x5000, count: 2, at: at) } }
    // A tag and a count each, because an unchanged count after a retain is not predicted.
    #expect(stream.bytes.count - learned == 10 * 4 * 2)

    var builder = TraceBuilder()
    builder.addEvents { events in for _ in 0..<12 { for at in loop { events.add(1, 0x5000, count: 2, at: at) } } }
    try builder.withFile { path in
      let backtraces = try listing(path).map { $0.drop { $0 != "[" } }
      #expect(backtraces.count == 48)
      for round in 0..<12 {
        #expect(backtraces[round * 4..<round * 4 + 4] == ["[30 20 10]", "[20 10]", "[30 40 10]", "[40 10]"])
      }
    }
  }

  @Test("Every kind of event keeps its arguments")
  func arguments() throws {
    var builder = TraceBuilder()
    builder.addEvents {
      $0.add(6, 0x5000, count: 4, at: [0x10], time: 1010, arguments: [3])
      $0.add(7, 0x5000, count: 1, at: [0x10], arguments: [3])
      $0.add(11, 0x5000, count: 2, at: [0x10], arguments: [0x7000, 1])
      $0.add(18, 0x5000, at: [0x10], arguments: [0x7008, 0x7000])
      $0.add(21, 0x5000, at: [0x10], arguments: [1, 0x4_0000_0000, 72])
    }
    try builder.withFile { path in
      let reader = try Trace(path: path).events()
      var event = Event()
      var found: [[UInt64]] = []
      while try reader.next(&event) { found.append([event.argument0, event.argument1, event.argument2]) }
      #expect(found == [[3, 0, 0], [3, 0, 0], [0x7000, 1, 0], [0x7008, 0x7000, 0], [1, 0x4_0000_0000, 72]])
    }
  }

  @Test("Threads are merged by time, and an event without a time follows its predecessor")
  func merging() throws {
    var builder = TraceBuilder()
    builder.addThread(2, name: "worker")
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(1, 0x5000, count: 2, time: 1010)
      $0.add(2, 0x5000, count: 1)
      $0.add(1, 0x5000, count: 3, time: 1040)
    }
    builder.addEvents(stream: 2, thread: 2) {
      $0.add(1, 0x5000, count: 2, time: 1020)
      $0.add(4, 0x6000, time: 1050)
    }
    try builder.withFile { path in
      try #expect(
        listing(path) == [
          "1 retain 5000 2 @1010 t1 []", "2 release 5000 1 @1010 t1 []", "3 retain 5000 2 @1020 t2 []",
          "4 retain 5000 3 @1040 t1 []", "5 free 6000 -1 @1050 t2 []",
        ])
    }
  }

  @Test("A stream that another thread takes over names that thread from then on")
  func threadReuse() throws {
    var builder = TraceBuilder()
    builder.addEvents {
      $0.add(1, 0x5000, count: 2, at: [0x10], time: 1010)
      $0.add(19, time: 1020, arguments: [5])
      $0.add(2, 0x5000, count: 1, at: [0x40])
    }
    try builder.withFile { path in
      try #expect(
        listing(path) == [
          "1 retain 5000 2 @1010 t1 [10]", "2 thread 0 -1 @1020 t5 []", "3 release 5000 1 @1020 t5 [40]",
        ])
    }
  }

  @Test("A backtrace has only the innermost frames within the limit")
  func frameLimit() throws {
    var builder = TraceBuilder()
    builder.frames = 3
    builder.addEvents {
      $0.add(1, 0x5000, count: 2, at: [0x10, 0x20, 0x30, 0x40, 0x50], time: 1010)
      $0.add(1, 0x5000, count: 3, at: [4, 0x20])
      $0.add(1, 0x5000, count: 4, at: [8, 0x20])
    }
    try builder.withFile { path in
      try #expect(
        listing(path) == [
          "1 retain 5000 2 @1010 t1 [50 40 30]", "2 retain 5000 3 @1010 t1 [20 …]", "3 retain 5000 4 @1010 t1 [20 ?]",
        ])
      let trace = try Trace(path: path)
      let reader = trace.events()
      var event = Event()
      var table = BacktraceTable()
      try #expect(reader.next(&event))
      let id = reader.intern(into: &table)
      #expect(table.entries(id).map { $0.isTruncation ? 0 : $0.address } == [0x50, 0x40, 0x30, 0])
    }
  }

  @Test("Deep stacks use the long form of pops and pushes")
  func deepStacks() throws {
    let deep = (1...40).map { UInt64($0 * 16) }
    var builder = TraceBuilder()
    builder.addEvents {
      $0.add(1, 0x5000, count: 2, at: deep, time: 1010)
      $0.add(2, 0x5000, count: 1, at: [16])
    }
    try builder.withFile { path in
      let lines = try listing(path)
      #expect(
        lines[0].hasSuffix(
          "[280 270 260 250 240 230 220 210 200 1f0 1e0 1d0 1c0 1b0 1a0 190 180 170 160 150 140 130 120 110 100 f0 e0 "
            + "d0 c0 b0 a0 90 80 70 60 50 40 30 20 10]"
        ))
      #expect(lines[1] == "2 release 5000 1 @1010 t1 [10]")
    }
  }
}
