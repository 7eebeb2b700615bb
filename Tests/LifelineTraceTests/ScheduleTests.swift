import LifelineTrace
import Testing

/// The numbers that name schedules.
@Suite struct ScheduleTests {
  @Test("Seeds, single holds and pairs of holds, patient or not, have distinct numbers that decode to them")
  func numbers() throws {
    let holds = [(1, 0), (7, 3), (4_194_303, 255)].map { Schedule.Hold(key: $0.0, visit: $0.1) }
    var schedules: [Schedule] = [.random(1), .random(Schedule.lastSeed)]
    for hold in holds {
      schedules.append(.holds([hold]))
      for other in holds where other != hold { schedules.append(.holds([hold, other])) }
    }
    schedules += schedules.filter { !$0.holds.isEmpty }.map(\.patient)
    let numbers = try schedules.map { try #require($0.number) }
    #expect(Set(numbers).count == schedules.count)
    #expect(numbers.map { Schedule(number: $0) } == schedules)
    #expect(numbers.allSatisfy { $0 <= Int64.max }, "JSON readers support no more")
  }

  @Test(
    "A schedule that no number can express has none",
    arguments: [
      Schedule.none, .random(0), .random(1 << 32), .holds([]), .holds([Schedule.Hold(key: 5, visit: 256)]),
      .holds(Array(repeating: Schedule.Hold(key: 5, visit: 1), count: 3)),
    ])
  func unnamed(_ schedule: Schedule) { #expect(schedule.number == nil) }

  @Test(
    "Other numbers are rejected",
    arguments: [0, 1 << 32, 1 << 61 | 256, 1 << 62, 3 << 61, 1 << 63, 1 << 62 | 17, .max] as [UInt64]
  )
  func refused(_ number: UInt64) { #expect(Schedule(number: number) == nil) }
}
