import LifelineAnalysis
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// What an exploration learns from a run, and which schedules it tries next.
@Suite struct SchedulePlanTests {
  private static let point: UInt8 = 31

  /// Thread 1 creates and ends an object; thread 2 uses it in between, on its 3rd and 4th visit to the place with key
  /// 70.
  private func reader(looksWrong: Bool = false) throws -> RunReader {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Screen")
    builder.addEvents { first in
      first.add(3, 0x5000, time: 1100, arguments: [1, 0])
      first.add(Self.point, 0x5000, time: 1900, arguments: [80, 1, 1 << 2])
      first.add(2, 0x5000, count: 0, time: 1910)
      first.add(5, 0x5000, time: 1920)
      first.add(4, 0x5000, time: 1930)
    }
    builder.addEvents(stream: 2, thread: 2) { second in
      for visit: UInt64 in 3...4 {
        second.add(Self.point, 0x5000, time: 1000 + visit * 100, arguments: [70, visit, 0])
        second.add(1, 0x5000, count: 2, time: 1010 + visit * 100)
        second.add(2, 0x5000, count: 1, time: 1020 + visit * 100)
      }
      if looksWrong { second.add(21, 0x5000, time: 2100, arguments: [1, 0, 0]) }
    }
    return try builder.withFile { try RunReader(Trace(path: $0)) }
  }

  @Test("A place where one thread uses an object that another one ends is a racing site, with its visits")
  func sites() throws {
    let site = try #require(reader().sites.first)
    #expect(site == RacingSite(key: 70, side: .use, classID: 1, visits: [4, 3], sharing: .endedElsewhere))
    #expect(
      try reader().sites.filter { $0.sharing == .endedElsewhere }.count == 1,
      "the place of the end is not a racing site")
  }

  @Test("A racing site lists visits to objects that other threads end, the last visit to each object first")
  func visits() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Screen")
    let objects: [UInt64] = [0x5000, 0x6000, 0x7000]
    builder.addEvents { first in
      for object in objects { first.add(3, object, time: 1000 + object / 0x1000, arguments: [1, 0]) }
      for object in objects[1...] { first.add(2, object, count: 0, time: 2000 + object / 0x1000) }
    }
    builder.addEvents(stream: 2, thread: 2) { second in
      for visit: UInt64 in 1...9 {
        second.add(Self.point, objects[Int(visit % 3)], time: 1100 + visit * 10, arguments: [70, visit, 0])
        second.add(1, objects[Int(visit % 3)], count: 2, time: 1105 + visit * 10)
        second.add(2, objects[Int(visit % 3)], count: 1, time: 1107 + visit * 10)
      }
    }
    let site = try #require(builder.withFile { try RunReader(Trace(path: $0)) }.sites.first)
    #expect(site == RacingSite(key: 70, side: .use, classID: 1, visits: [8, 7, 2, 1, 5, 4], sharing: .endedElsewhere))
  }

  @Test("Single visits alternate with sites that are held at every visit")
  func singleVisits() {
    func site(_ key: UInt32, _ side: SchedulePoint.Side, _ visits: [UInt32]) -> RacingSite {
      RacingSite(
        key: key, side: side, classID: side.isMeeting ? 0 : 1, isClass: !side.isMeeting, visits: visits,
        sharing: side.isMeeting ? .touched : .endedElsewhere)
    }
    let plan = SchedulePlan(sites: [site(70, .use, [8, 7]), site(71, .use, [9, 6]), site(41, .unlock, [1])])
    func hold(_ key: UInt32, _ visit: UInt32) -> Schedule { .holds([Schedule.Hold(key: key, visit: visit)]) }
    #expect(
      plan.steps.prefix(8).dropFirst().map(\.schedule) == [
        hold(70, 0), hold(70, 8), hold(41, 0), hold(71, 0), hold(71, 9), hold(70, 7), hold(71, 6),
      ])
  }

  @Test("A lock that two threads take is a meeting place; one that a single thread takes is not")
  func meeting() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Screen")
    for stream: UInt32 in [1, 2] {
      builder.addEvents(stream: stream, thread: stream) { events in
        let start = 1000 + UInt64(stream) * 500
        events.add(3, 0x5000 + UInt64(stream) * 0x100, time: start, arguments: [1, 0])
        events.add(Self.point, 0x9000, time: start + 10, arguments: [50, UInt64(stream), 4 << 2])
        events.add(Self.point, 0x9000, time: start + 20, arguments: [51, UInt64(stream), 5 << 2])
        events.add(
          Self.point, 0xA000 + UInt64(stream) * 0x10, time: start + 30, arguments: [52, UInt64(stream), 4 << 2])
      }
    }
    let sites = try builder.withFile { try RunReader(Trace(path: $0)) }.sites
    func site(_ key: UInt32, _ side: SchedulePoint.Side, _ sharing: RacingSite.Sharing) -> RacingSite {
      RacingSite(key: key, side: side, classID: 0, isClass: false, visits: [2, 1], sharing: sharing)
    }
    #expect(sites == [site(50, .lock, .touched), site(51, .unlock, .touched), site(52, .lock, .none)])
  }

  @Test("Meeting places alternate with class sites, and unlocks come first")
  func meetings() throws {
    func site(_ key: UInt32, _ side: SchedulePoint.Side, isClass: Bool = false) -> RacingSite {
      RacingSite(key: key, side: side, classID: isClass ? 1 : 0, isClass: isClass, visits: [1], sharing: .touched)
    }
    let plan = SchedulePlan(sites: [
      site(70, .use, isClass: true), site(71, .use, isClass: true), site(40, .lock), site(41, .unlock), site(42, .run),
    ])
    let first = plan.steps.prefix(5)
    #expect(
      first.map(\.schedule) == [70, 41, 71, 42, 40].map { .holds([Schedule.Hold(key: $0, visit: 0)]) })
    #expect(first.map(\.strategy) == [.racingPair, .meeting, .racingPair, .meeting, .meeting])
  }

  @Test("A problem that the probe reports is noticed, with the class of its object")
  func wrong() throws {
    #expect(try reader().wrongClass == nil)
    #expect(try reader(looksWrong: true).wrongClass == "App.Screen")
  }

  @Test(
    "A racing site is held at each visit, the last and the first, alternating with random schedules, then patiently")
  func plan() throws {
    var plan = SchedulePlan(sites: [
      RacingSite(key: 70, side: .use, classID: 1, visits: [9, 3, 6], sharing: .endedElsewhere)
    ])
    func hold(_ visit: UInt32) -> Schedule { .holds([Schedule.Hold(key: 70, visit: visit)]) }
    let schedules = (0..<10).map { _ in plan.next().schedule }
    #expect(
      schedules == [
        hold(0), .random(1), hold(9), .random(2), hold(3), .random(3), hold(6), .random(4), hold(0).patient, .random(5),
      ])
  }

  @Test("When two threads create the same object, the allocation is held with all uses first, then with each")
  func births() throws {
    func site(_ key: UInt32, _ side: SchedulePoint.Side) -> RacingSite {
      RacingSite(key: key, side: side, classID: 1, visits: [1], sharing: .touched)
    }
    var plan = SchedulePlan(sites: [site(70, .use), site(71, .use), site(90, .allocation)])
    func holds(_ keys: UInt32...) -> Schedule { .holds(keys.map { Schedule.Hold(key: $0, visit: 0) }) }
    let directed = (0..<16).map { _ in plan.next() }.filter { $0.strategy.rawValue.contains("racing") }.map(\.schedule)
    let all = holds(90, 70, 71)
    #expect(directed == [all, holds(70), holds(71), holds(90), holds(90, 70), all, holds(90, 71), all.patient])
  }
}
