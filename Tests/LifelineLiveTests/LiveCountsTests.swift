import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineLive

@Suite struct LiveCountsTests {
  private static let classes = [
    1: ClassRecord(id: 1, name: "App.Job", instanceSize: 32), 2: ClassRecord(id: 2, name: "App.Node"),
  ]

  private func event(_ kind: EventKind, _ object: UInt64, _ clock: UInt64, class owner: UInt64 = 0, count: Int64 = -1)
    -> Event
  {
    var event = Event()
    event.kind = kind
    event.object = object
    event.clock = clock
    event.argument0 = owner
    event.count = count
    return event
  }

  private func row(_ counts: LiveCounts, _ name: String) -> LiveRow? {
    counts.rows(Self.classes).first { $0.name == name }
  }

  /// Objects at a few addresses, allocated and ended by three threads, with each stream's events in order.
  private func lives(_ random: inout SeededGenerator) -> (streams: [[Event]], live: [UInt64: UInt64], allocated: Int) {
    var streams: [[Event]] = [[], [], []]
    var live: [UInt64: UInt64] = [:]
    var allocated = 0
    var clock: UInt64 = 1000
    for _ in 0..<400 {
      clock += UInt64.random(in: 1...5, using: &random)
      let object = 0x1000 + 16 * UInt64.random(in: 0..<12, using: &random)
      let stream = Int.random(in: 0..<3, using: &random)
      if live[object] == nil {
        let owner = UInt64.random(in: 1...2, using: &random)
        live[object] = owner
        allocated += 1
        streams[stream].append(event(.allocate, object, clock, class: owner))
      } else {
        live[object] = nil
        streams[stream].append(event(.release, object, clock, count: 0))
        streams[stream].append(event(.deallocate, object, clock))
        streams[stream].append(event(.free, object, clock))
      }
    }
    return (streams, live, allocated)
  }

  @Test(
    "The live objects do not depend on the order or the number of rounds in which streams are read", arguments: 0..<40
  )
  func order(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (streams, live, allocated) = lives(&random)
    var counts = LiveCounts()
    var read = [0, 0, 0]
    // A round reads a part of each stream, up to one moment, with the streams in any order.
    for end in [1500 as UInt64, 1501, 2000, .max] {
      for stream in [0, 1, 2].shuffled(using: &random) {
        while read[stream] < streams[stream].count, streams[stream][read[stream]].clock < end {
          counts.take(streams[stream][read[stream]], stream: UInt32(stream + 1))
          read[stream] += 1
        }
      }
      counts.endRound()
    }
    for owner in 1...2 {
      let name = Self.classes[owner]!.name
      #expect(row(counts, name)?.live == live.values.count { $0 == owner })
    }
    #expect(counts.rows(Self.classes).reduce(0) { $0 + $1.allocated } == allocated)
    let found = Set(counts.oldest(100, Self.classes).map(\.address))
    #expect(found == Set(live.keys))
    counts.endRound()
    counts.endRound()
    #expect(counts.table.count == live.count, "ended objects are forgotten")
  }

  @Test("An allocation read in the round after its end is not live")
  func lateBirth() {
    var counts = LiveCounts()
    counts.take(event(.free, 0x1000, 200), stream: 2)
    counts.endRound()
    counts.take(event(.allocate, 0x1000, 100, class: 1), stream: 1)
    counts.endRound()
    #expect(row(counts, "App.Job")?.live == 0)
    #expect(row(counts, "App.Job")?.ended == 1)
  }

  @Test("Events without times belong to the object that their stream allocated last")
  func untimed() {
    var counts = LiveCounts()
    counts.take(event(.allocate, 0x1000, 500, class: 1), stream: 1)
    counts.take(event(.free, 0x1000, 500), stream: 1)
    counts.take(event(.allocate, 0x1000, 500, class: 2), stream: 1)
    #expect(row(counts, "App.Job")?.live == 0)
    #expect(row(counts, "App.Node")?.live == 1)
  }

  @Test("Counts match those of the report, which orders all events")
  func report() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Job")
    builder.addClass(2, "App.Node", size: 48)
    builder.addEvents { events in
      for index in 0..<50 as Range<UInt64> {
        let object = 0x10000 + 64 * index
        events.add(
          3, object, at: [0x100, 0x200], time: 1000 + 10 * index, arguments: [1 + index % 2, index == 4 ? 96 : 0])
        events.add(1, object, count: 2)
        events.add(2, object, count: 1)
        if index % 3 == 0 {
          events.add(2, object, count: 0, time: 1005 + 10 * index)
          events.add(5, object)
          events.add(4, object)
        }
      }
    }
    try builder.withFile { path in
      let tail = try TraceTail(path: path)
      try tail.look()
      var counts = LiveCounts()
      #expect(try tail.read(chunks: 100) { counts.take($0, stream: $1) })
      let totals = try LifetimeSummary(Trace(path: path)).tracker.classes
      #expect(totals.count == 2)
      for expected in totals {
        let row = counts.rows(tail.tables.classes).first { $0.name == expected.name }
        #expect(row?.live == expected.liveAtExit && row?.allocated == expected.allocated)
        #expect(row?.retains == expected.retains && row?.releases == expected.releases)
      }
      let jobs = counts.rows(tail.tables.classes)[0]
      #expect(jobs.bytes == 32 * (jobs.live - 1) + 96, "index 4 is a Job with its own size")
      let sites = counts.sites(of: "App.Job", tail.tables.classes)
      #expect(sites.map(\.live) == [jobs.live])
      #expect(tail.backtraces.entries(sites[0].site).map(\.address) == [0x200, 0x100])
      #expect(counts.oldest(3, tail.tables.classes).map(\.address) == [0x10040, 0x10080, 0x10100])
      #expect(counts.oldest(1, of: "App.Node", tail.tables.classes).map(\.address) == [0x10040])
    }
  }

  @Test("Problems that the recorder catches are counted by class")
  func caught() {
    var counts = LiveCounts()
    for object in UInt64(1)...1200 {
      counts.take(event(.allocate, object << 12, 100, class: 1), stream: 1)
      counts.take(event(.free, object << 12, 200), stream: 1)
      counts.take(event(.useAfterFree, object << 12, 300), stream: 1)
    }
    #expect(counts.caughtCount == 1200 && counts.caught.count == 1000)
    #expect(counts.caught[0].name == "use-after-free" && counts.caught[0].record == 1)
  }

  @Test("An object that is used again after its end is one problem, as in the report; the next one there is another")
  func usedAgain() {
    var counts = LiveCounts()
    for clock in [UInt64(100), 1000] {
      counts.take(event(.allocate, 0x1000, clock, class: 1), stream: 1)
      counts.take(event(.free, 0x1000, clock + 100), stream: 1)
      for _ in 0..<3 { counts.take(event(.useAfterFree, 0x1000, clock + 200), stream: 1) }
      counts.take(event(.overRelease, 0x1000, clock + 300), stream: 1)
    }
    #expect(counts.caught.map(\.name) == ["use-after-free", "over-release", "use-after-free", "over-release"])
    #expect(counts.caughtCount == 4)
  }

  @Test("After any number of removals the table has the same content as a dictionary")
  func table() {
    var random = SeededGenerator(seed: 3)
    var table = LiveTable()
    var expected: [UInt64: UInt32] = [:]
    for step in 0..<60_000 as Range<UInt32> {
      let address = 16 * UInt64.random(in: 1...(step < 30_000 ? 9000 : 300), using: &random)
      let place = table.place(of: address)
      if expected[address] == nil {
        table.insert(LiveTable.Entry(address: address, site: step), at: place)
        expected[address] = step
      } else {
        #expect(table[place].site == expected[address])
        table.remove(at: place)
        expected[address] = nil
      }
    }
    #expect(table.count == expected.count)
    for (address, site) in expected { #expect(table[table.place(of: address)].site == site) }
    #expect(table.places.count <= 32768)
  }
}
