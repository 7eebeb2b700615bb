import LifelineTraceBuilder
import Testing

@testable import LifelineTrace

@Suite struct PackedEventsTests {
  @Test("Events are the same after they passed from one thread to another, whatever they contain")
  func roundTrip() {
    #expect(MemoryLayout<Event>.stride + MemoryLayout<BacktraceID>.stride == 92)
    var random = SeededGenerator(seed: 3)
    var packed = PackedEvents()
    var (batch, result) = (EventBatch(), EventBatch())
    defer {
      packed.deallocate()
      batch.deallocate()
      result.deallocate()
    }
    for round in 0..<200 {
      batch.count = 1 + round % EventBatch.capacity
      for index in 0..<batch.count {
        batch.events[index] = Self.event(UInt64(1000 * round + index), &random)
        batch.backtraces[index] = BacktraceID(rawValue: UInt32.random(in: 0...UInt32.max, using: &random))
      }
      packed.pack(batch)
      packed.unpack(into: &result)
      #expect(result.count == batch.count)
      for index in 0..<batch.count {
        #expect(result.events[index] == batch.events[index])
        #expect(result.backtraces[index] == batch.backtraces[index])
      }
    }
  }

  /// Mostly one that fits into 32 bytes.
  private static func event(_ sequence: UInt64, _ random: inout SeededGenerator) -> Event {
    func isRare() -> Bool { Int.random(in: 0..<8, using: &random) == 0 }
    var event = Event()
    event.kind = EventKind.allCases.randomElement(using: &random)!
    event.sequence = sequence
    event.object = UInt64.random(in: 0...UInt64.max, using: &random)
    event.count =
      isRare() ? [.max, .min, 1 << 31][Int(sequence % 3)] : Int64(Int32.random(in: -1...Int32.max, using: &random))
    event.clock = UInt64.random(in: 0...UInt64.max, using: &random)
    event.thread = UInt32.random(in: 0...UInt32.max, using: &random)
    event.queue = isRare() ? UInt32.random(in: 1...3, using: &random) : 0
    event.task = isRare() ? UInt64.random(in: 1...3, using: &random) : 0
    event.argument0 = isRare() ? .max : 0
    event.argument1 = isRare() ? 1 : 0
    event.argument2 = isRare() ? 1 << 63 : 0
    event.stream = isRare() ? 65_536 : Int.random(in: 0...65_535, using: &random)
    return event
  }
}
