@testable import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct GrowthTests {
  private static let release: UInt8 = 2, allocate: UInt8 = 3, mark: UInt8 = 20

  @Test(
    "Growth means a rise in nearly every round and no fall, not a warm-up, a plateau or chance",
    arguments: [
      ([3, 6, 9, 12], true), ([50, 51, 52, 53, 54], true), ([1, 2, 2, 3, 4, 5], true), ([0, 40, 40, 40, 40], false),
      ([5, 5, 5, 5], false),
      ([1, 2, 3, 2, 3, 4], false), ([1, 2, 3], false), ([1, 2, 3, 4, 4, 4], false), ([9, 8, 7, 6], false),
      ([0, 1, 1, 1, 2], false),
    ])
  func series(_ counts: [Int], _ isGrowing: Bool) { #expect(Growth.isGrowing(counts) == isGrowing) }

  private func trace(
    _ boundaries: Generations = .allMarks, _ fill: (inout StreamBuilder) -> Void
  ) throws -> GrowthInspector {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Session")
    builder.addClass(2, "App.Scratch")
    builder.addEvents { fill(&$0) }
    return try builder.withFile { try GrowthInspector(Trace(path: $0), boundaries) }
  }

  @Test("A class that gains three objects between marks grows by three per round; one whose objects die does not")
  func rounds() throws {
    let inspector = try trace { stream in
      var clock: UInt64 = 1010
      for round in 0..<6 as Range<UInt64> {
        for number in 0..<3 as Range<UInt64> {
          clock += 10
          stream.add(Self.allocate, 0x5000 + (round * 3 + number) * 0x40, at: [0x1001], time: clock, arguments: [1, 0])
        }
        stream.add(Self.allocate, 0x9000, at: [0x1101], time: clock + 1, arguments: [2, 0])
        stream.add(Self.release, 0x9000, count: 0, at: [0x1101], time: clock + 2)
        stream.add(Self.mark, at: [0x1001], time: clock + 3, arguments: [1])
        clock += 3
      }
    }
    #expect(inspector.generations == 6)
    #expect(inspector.growths.map(\.className) == ["App.Session"])
    #expect(inspector.growths.first?.counts == [3, 6, 9, 12, 15, 18])
    #expect(inspector.growths.first?.perRound == 3)
    #expect(inspector.growths.first?.newest.number == 18)
    #expect(inspector.growths.first?.typical.number == 10, "the newest may still be freed")
  }

  @Test("A class also grows if each round allocates at a different site, as in an unrolled loop")
  func unrolled() throws {
    let inspector = try trace { stream in
      for round in 0..<5 as Range<UInt64> {
        let site = 0x1001 + round * 0x10
        stream.add(Self.allocate, 0x5000 + round * 0x40, at: [site], time: 1010 + round * 10, arguments: [1, 0])
        stream.add(Self.mark, at: [0x2001], time: 1015 + round * 10, arguments: [1])
      }
    }
    #expect(inspector.growths.map(\.className) == ["App.Session"])
    #expect(inspector.growths.first?.counts == [1, 2, 3, 4, 5])
    #expect(inspector.growths.first?.newest.number == 5)
  }

  /// A pool of ten objects, filled by one call and replaced by another one, two in each round.
  private func replaced(_ place: UInt64, _ others: [UInt64]) throws -> GrowthInspector {
    try trace { stream in
      for number in 0..<10 as Range<UInt64> {
        stream.add(
          Self.allocate, 0x5000 + number * 0x40, at: [0x2001, place, 0x1001], time: 1010 + number, arguments: [1, 0])
      }
      for round in 0..<5 as Range<UInt64> {
        let clock = 1100 + round * 100
        for number in [2 * round, 2 * round + 1] {
          stream.add(Self.release, 0x5000 + number * 0x40, count: 0, at: [0x1101], time: clock + 2 * number)
          stream.add(
            Self.allocate, 0x8000 + number * 0x40, at: others + [0x1001], time: clock + 2 * number + 1,
            arguments: [1, 0])
        }
        stream.add(Self.mark, at: [0x2001], time: clock + 90, arguments: [1])
      }
    }
  }

  @Test("What one caller of a function gains is not growth if another caller's objects go")
  func replacement() throws {
    #expect(try replaced(0x1201, [0x2101, 0x1201]).growths.isEmpty)
    // Another function's objects need not be related.
    #expect(try replaced(0x1201, [0x2101, 0x1301]).growths.first?.counts == [2, 4, 6, 8, 10])
  }

  @Test("A table loaded at once after an idle time is not growth")
  func idle() throws {
    let inspector = try trace(.every(100)) { stream in
      stream.add(Self.allocate, 0x4000, at: [0x1001], time: 1010, arguments: [1, 0])
      for number in 0..<40 as Range<UInt64> {
        stream.add(Self.allocate, 0x5000 + number * 0x40, at: [0x1001], time: 2950 + number, arguments: [1, 0])
      }
      stream.add(Self.allocate, 0x9000, at: [0x1101], time: 3005, arguments: [2, 0])
    }
    #expect(inspector.growths.isEmpty)
    #expect(inspector.generations >= 4)
  }

  @Test("The newest object is a live one, not one whose address was reused")
  func newest() throws {
    let inspector = try trace { stream in
      var clock: UInt64 = 1010
      for round in 0..<5 as Range<UInt64> {
        for place in [0x5000 + round * 0x40, 0x9000] {
          stream.add(Self.allocate, place, at: [0x1001], time: clock, arguments: [1, 0])
          clock += 1
        }
        stream.add(Self.release, 0x9000, count: 0, at: [0x1101], time: clock)
        stream.add(Self.mark, at: [0x1001], time: clock + 1, arguments: [1])
        clock += 10
      }
      stream.add(Self.allocate, 0x9000, at: [0x1101], time: clock, arguments: [2, 0])
    }
    #expect(inspector.growths.map(\.className) == ["App.Session"])
    #expect(inspector.growths.first?.newest.address == 0x5000 + 4 * 0x40)
  }

  @Test(
    "Generations may be shorter than the time in which an object is gained, and end while objects are in use",
    arguments: [
      (GrowthSeries(counts: [9, 5, 8, 4], lows: [1, 2, 3]), nil, "three lows may be chance"),
      (GrowthSeries(counts: [9, 5, 8, 4, 9, 7, 9, 8, 9], lows: [1, 2, 3, 4, 5, 6, 7, 8]), 1, "in use at the ends"),
      (GrowthSeries(counts: [9, 5, 8, 4, 9, 7, 9, 8, 9], lows: [1, 2, 3, 4, 4, 4, 4, 4]), nil, "full"),
      (thirds(24), 3, "an object in three generations"), (thirds(23), nil, "seven steps may be chance"),
    ])
  func shortGenerations(_ series: GrowthSeries, _ rounds: Int?, _ why: Comment) {
    #expect(series.growing?.rounds == rounds, why)
  }

  /// An object more in every third generation.
  private static func thirds(_ count: Int) -> GrowthSeries {
    GrowthSeries(counts: (0...count).map { 1 + $0 / 3 }, lows: (0..<count).map { 1 + $0 / 3 })
  }

  @Test("An object that each second generation gains among others in use grows by one in two rounds")
  func slow() throws {
    let inspector = try trace(.every(100)) { stream in
      stream.add(Self.mark, at: [0x1001], time: 1010, arguments: [1])
      for round in 0..<20 as Range<UInt64> {
        let begin = 1100 + round * 100
        // The one before, which was in use at the end of its generation, ends.
        if round > 0 {
          stream.add(Self.release, 0x8000 + (round - 1) % 3 * 0x40, count: 0, at: [0x1101], time: begin + 10)
        }
        if round % 2 == 0 {
          stream.add(Self.allocate, 0x5000 + round * 0x40, at: [0x1001], time: begin + 20, arguments: [1, 0])
        }
        if round % 3 != 2 {
          stream.add(Self.allocate, 0x8000 + round % 3 * 0x40, at: [0x1001], time: begin + 80, arguments: [1, 0])
        }
      }
    }
    let growth = try #require(inspector.growths.first)
    #expect(growth.rounds == 2 && growth.gain == 1 && growth.perRound == 1)
    #expect(growth.lows != nil && !Growth.isGrowing(growth.counts))
  }

  @Test("More generations than the limit are rejected")
  func most() throws {
    #expect(throws: TraceError.self) {
      _ = try trace(.every(1)) { stream in
        stream.add(Self.allocate, 0x4000, at: [0x1001], time: 1010, arguments: [1, 0])
        stream.add(Self.allocate, 0x5000, at: [0x1001], time: 1_000_000, arguments: [1, 0])
      }
    }
  }

  @Test("With a timer, generations at the end in which nothing began or ended do not count; an end of objects does")
  func idleEnd() throws {
    func growth(endingOthers: Bool) throws -> (generations: Int, growths: Int) {
      let inspector = try trace(.every(100)) { stream in
        for round in 0..<6 as Range<UInt64> {
          stream.add(Self.allocate, 0x5000 + round * 0x40, at: [0x1001], time: 1010 + round * 100, arguments: [1, 0])
        }
        if endingOthers {
          for round in 0..<6 as Range<UInt64> {
            stream.add(Self.release, 0x5000 + round * 0x40, count: 0, at: [0x1001], time: 1750)
          }
        }
        stream.add(Self.mark, at: [0x1001], time: 1950, arguments: [1])
      }
      return (inspector.generations, inspector.growths.count)
    }
    let idle = try growth(endingOthers: false), freed = try growth(endingOthers: true)
    #expect(idle.growths == 1, "\(idle)")
    #expect(freed.growths == 0 && freed.generations > idle.generations, "\(freed)")
  }
}
