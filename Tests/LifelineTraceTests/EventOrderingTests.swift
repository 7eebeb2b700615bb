import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct EventOrderingTests {
  @Test("A retain on a thread with a slow clock is placed by its count, not its clock")
  func behind() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(1, 0x5000, count: 2, time: 5000)
      $0.add(2, 0x5000, count: 2, time: 5200)
      $0.add(2, 0x5000, count: 1, time: 5300)
    }
    builder.addEvents(stream: 2, thread: 2) { $0.add(1, 0x5000, count: 3, time: 1100) }
    let lines = try builder.withFile { try listing($0) }
    #expect(
      lines == [
        "1 retain 5000 2 @5000 t1 []", "2 retain 5000 3 @1100 t2 []", "3 release 5000 2 @5200 t1 []",
        "4 release 5000 1 @5300 t1 []",
      ])
  }

  @Test("A release on a thread with a fast clock is placed before another thread's final release")
  func ahead() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2, time: 1020)
      $0.add(2, 0x5000, count: 0, time: 1100)
      $0.add(5, 0x5000, time: 1110)
      $0.add(4, 0x5000, time: 1120)
    }
    builder.addEvents(stream: 2, thread: 2) { $0.add(2, 0x5000, count: 1, time: 90_000) }
    let kinds = try builder.withFile {
      try listing($0).map { $0.split(separator: " ")[1...].prefix(3).joined(separator: " ") }
    }
    #expect(
      kinds == [
        "allocate 5000 -1", "retain 5000 2", "release 5000 1", "release 5000 0", "deallocate 5000 -1", "free 5000 -1",
      ])
  }

  @Test("A use after free on a thread with a slow clock is placed after the deallocation")
  func useAfterFree() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(2, 0x5000, count: 0, time: 1100)
      $0.add(1, 0x6000, count: 2, time: 1200)
      $0.add(5, 0x5000)
      $0.add(4, 0x5000)
    }
    builder.addEvents(stream: 2, thread: 2) { $0.add(21, 0x5000, time: 1150, arguments: [1, 0, 0]) }
    let kinds = try builder.withFile { try listing($0).map { $0.split(separator: " ")[1] } }
    #expect(kinds == ["allocate", "release", "retain", "deallocate", "useAfterFree", "free"])
  }

  @Test("An object that needs a large clock correction does not reorder another object's life")
  func farAndNear() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(1, 0x7000, count: 2, time: 400_000)
      $0.add(1, 0x5000, count: 2, time: 500_000)
      $0.add(2, 0x5000, count: 2, time: 500_200)
      $0.add(2, 0x5000, count: 1, time: 500_300)
      $0.add(2, 0x6000, count: 1, time: 600_005)
      $0.add(2, 0x6000, count: 0, time: 900_100)
      $0.add(5, 0x6000, time: 900_110)
      $0.add(4, 0x6000, time: 900_120)
    }
    builder.addEvents(stream: 2, thread: 2) {
      $0.add(1, 0x5000, count: 3, time: 1100)
      $0.add(3, 0x6000, time: 600_010, arguments: [1, 0])
      $0.add(1, 0x6000, count: 2, time: 600_020)
    }
    let lines = try builder.withFile { try listing($0) }
    let lives = lines.filter { $0.contains(" 6000 ") }.map {
      $0.split(separator: " ")[1...].prefix(3).joined(separator: " ")
    }
    #expect(
      lives == [
        "allocate 6000 -1", "retain 6000 2", "release 6000 1", "release 6000 0", "deallocate 6000 -1", "free 6000 -1",
      ])
  }

  @Test("Events without a time are placed by their counts, however long their thread was idle around them")
  func untimed() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(3, 0x5000, time: 1000, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2, time: 1001)
      // The main thread is idle until 9000 and then releases its reference.
      $0.add(2, 0x5000, count: 1)
      $0.add(3, 0x6000, time: 9000, arguments: [1, 0])
    }
    builder.addEvents(stream: 2, thread: 2) {
      $0.add(1, 0x5000, count: 3, time: 2000)
      $0.add(2, 0x5000, count: 2)
      $0.add(1, 0x5000, count: 3)
      $0.add(2, 0x5000, count: 2, time: 8000)
    }
    let lines = try builder.withFile { try listing($0) }
    #expect(
      lines == [
        "1 allocate 5000 -1 @1000 t1 []", "2 retain 5000 2 @1001 t1 []", "3 retain 5000 3 @2000 t2 []",
        "4 release 5000 2 @2000 t2 []",
        "5 retain 5000 3 @2000 t2 []", "6 release 5000 2 @8000 t2 []", "7 release 5000 1 @8000 t1 []",
        "8 allocate 6000 -1 @9000 t1 []",
      ])
  }

  @Test("A thread interrupted before it read the clock is placed ten thousand events earlier")
  func interrupted() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(1, 0x5000, count: 2, time: 1000)
      for index in UInt64(0)..<10_000 {
        $0.add(index % 2 == 0 ? 1 : 2, 0x5000, count: index % 2 == 0 ? 4 : 3, time: 1100 + index)
      }
    }
    builder.addEvents(stream: 2, thread: 2) {
      $0.add(3, 0x6000, time: 1000, arguments: [1, 0])
      $0.add(1, 0x5000, count: 3, time: 90_000)
    }
    let threads = try builder.withFile { try listing($0).map { $0.split(separator: " ")[5] } }
    #expect(threads.prefix(4) == ["t1", "t2", "t2", "t1"])
  }

  @Test("A thread's first count, changed long before its stream began, is placed as well")
  func firstOfThread() throws {
    var builder = TraceBuilder()
    // The other thread finds 2 from the 101st pair on, but the event that made it 2 is listed 10,000 events later.
    builder.addEvents(stream: 1, thread: 1) {
      for index in 0..<5000 {
        let count: Int64 = index < 100 ? 1 : 2
        $0.add(1, 0x5000, count: count + 1, time: UInt64(1000 + index * 20))
        $0.add(2, 0x5000, count: count, time: UInt64(1010 + index * 20))
      }
    }
    builder.addEvents(stream: 2, thread: 2, clock: 199_990) {
      $0.add(1, 0x5000, count: 2, time: 200_000)
      $0.add(1, 0x5000, count: 3, time: 200_100)
    }
    let lines = try builder.withFile { try listing($0) }
    #expect(lines.count == 10_002)
    #expect(lines.firstIndex { $0.contains(" t2 ") } == 200)
    #expect(lines.last?.contains(" t2 ") == true)
  }

  @Test(
    "A run of chunks by one thread is interrupted where another thread uses the same object",
    arguments: [0, 1, 1999])
  func alone(_ place: Int) throws {
    let late: UInt64 = 1 << 30
    var builder = TraceBuilder()
    builder.addEvents(stream: 2, thread: 2) {
      $0.add(3, 0x5000, time: 1000, arguments: [1, 0])
      $0.add(3, 0x6000, time: 1001, arguments: [1, 0])
      // The thread was interrupted after this retain for a second.
      $0.add(1, 0x5000, count: 2, time: late)
      $0.add(2, 0x5000, count: 2, time: late + 1)
    }
    for chunk in UInt64(0)..<6 {
      builder.addEvents(stream: 1, thread: 1, clock: 2000 + chunk * 10_000) {
        for index in 0..<2000 {
          let isShared = chunk == 4 && index == place
          $0.add(
            1, isShared ? 0x5000 : 0x7000, count: isShared ? 3 : Int64(chunk) * 2000 + Int64(index) + 2,
            at: [0x10, 0x20], time: 2000 + chunk * 10_000 + UInt64(index))
        }
      }
    }
    try builder.withFile { path in
      let reader = try Trace(path: path).events()
      var event = Event()
      var shared: [String] = []
      var last: UInt64 = 0
      while try reader.next(&event) {
        if event.object == 0x5000 { shared.append("\(event.sequence) t\(event.thread) \(event.kind) \(event.count)") }
        if event.thread == 1 {
          #expect(event.clock > last && reader.site(1)?.address == 0x10)
          last = event.clock
        }
      }
      #expect(reader.sequence == 12_004 && reader.problems == [])
      #expect(
        shared.map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
          "t2 allocate -1", "t2 retain 2", "t1 retain 3", "t2 release 2",
        ])
    }
  }

  @Test("If an event is missing and no order fits, the clocks' order is kept")
  func lost() throws {
    var builder = TraceBuilder()
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(1, 0x5000, count: 2, time: 1010)
      $0.add(2, 0x5000, count: 6, time: 1030)
    }
    builder.addEvents(stream: 2, thread: 2) { $0.add(1, 0x5000, count: 3, time: 1020) }
    let lines = try builder.withFile { try listing($0) }
    #expect(lines == ["1 retain 5000 2 @1010 t1 []", "2 retain 5000 3 @1020 t2 []", "3 release 5000 6 @1030 t1 []"])
  }

  @Test(
    "Whatever the clocks say, each event follows the count it found, and threads keep their order",
    arguments: UInt64(1)...12)
  func random(_ seed: UInt64) throws {
    var threads = RecordedThreads(seed: seed)
    for _ in 0..<8000 { threads.step() }
    try expectOrder(threads, events: 8000)
  }

  @Test(
    "Threads that are interrupted between a count and its time are placed by the counts",
    arguments: [
      (10, 1000, 164), (10, 1000, 347), (30, 5000, 140), (30, 5000, 365), (100, 20_000, 26), (100, 20_000, 365),
      (300, 100_000, 152), (300, 100_000, 262),
    ] as [(Int, UInt64, UInt64)])
  func interruptions(_ steps: Int, _ ticks: UInt64, _ seed: UInt64) throws {
    var threads = RecordedThreads(seed: seed, interruption: .init(steps: steps, ticks: ticks))
    for _ in 0..<5000 { threads.step() }
    try expectOrder(threads, events: 5000)
  }

  @Test(
    "Twenty threads that are interrupted while they use sixty objects are placed by the counts",
    arguments: [9, 39] as [UInt64])
  func manyThreads(_ seed: UInt64) throws {
    var threads = RecordedThreads(
      seed: seed, interruption: .init(steps: 200, ticks: 5000), threads: 20...20, objects: 60...60)
    for _ in 0..<20_000 { threads.step() }
    try expectOrder(threads, events: 20_000)
  }

  private func expectOrder(_ threads: RecordedThreads, events: UInt64) throws {
    try threads.builder.withFile { path in
      let reader = try Trace(path: path).events()
      var event = Event()
      var counts: [UInt64: Int64] = [:]
      var positions: [UInt32: UInt64] = [:]
      while try reader.next(&event) {
        let before = event.count - event.strongChange
        if let known = counts[event.object], known != before {
          Issue.record("Event \(event.sequence) finds \(before) where \(known) was left.")
          return
        }
        counts[event.object] = event.count
        #expect(try #require(reader.site(0)).address == positions[event.thread, default: 0] + 0x10_0000)
        positions[event.thread, default: 0] += 1
      }
      #expect(positions.values.reduce(0, +) == events)
    }
  }

  @Test("Random counts have no order, and every event is read nonetheless", .timeLimit(.minutes(60)))
  func nonsense() throws {
    var random = SeededGenerator(seed: 7)
    var builder = TraceBuilder()
    for stream in UInt32(1)...4 {
      var time: UInt64 = 1000
      builder.addEvents(stream: stream, thread: stream, clock: time) { events in
        for _ in 0..<5000 {
          time += .random(in: 0..<40, using: &random)
          let object = 0x5000 + 16 * UInt64.random(in: 0..<20, using: &random)
          events.add(
            .random(in: 1...2, using: &random), object, count: .random(in: 0..<9, using: &random), at: [0x10],
            time: time)
        }
      }
    }
    try builder.withFile { path in
      let reader = try Trace(path: path).events()
      var event = Event()
      while try reader.next(&event) {}
      #expect(reader.sequence == 20_000 && reader.problems == [])
    }
  }
}
