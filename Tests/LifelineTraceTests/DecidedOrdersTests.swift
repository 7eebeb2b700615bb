import LifelineTraceBuilder
import Testing

@testable import LifelineTrace

@Suite(.timeLimit(.minutes(60))) struct DecidedOrdersTests {
  private let recordings = [UInt64](1...4).map { seed in
    var threads = RecordedThreads(
      seed: seed, interruption: .init(steps: 200, ticks: 5000), threads: 20...20, objects: 60...60)
    for _ in 0..<20_000 { threads.step() }
    return threads
  }

  @Test("A trace that is read again has the same order, with what the first reading kept and without")
  func again() throws {
    for threads in recordings {
      try threads.builder.withFile { path in
        let trace = try Trace(path: path)
        let first = try order(trace)
        #expect(first.count == 20_000)
        #expect(try order(trace) == first)
        #expect(try order(Trace(path: path)) == first)
      }
    }
  }

  @Test("Some of these orders took long to decide; each of them is decided once")
  func kept() throws {
    var kept = 0
    for threads in recordings {
      try threads.builder.withFile { path in
        let trace = try Trace(path: path)
        _ = try order(trace)
        #expect(trace.orders.usedCount == 0)
        _ = try order(trace)
        #expect(trace.orders.usedCount == trace.orders.count)
        kept += trace.orders.count
      }
    }
    #expect(kept > 0)
  }

  @Test("The order of a window whose events have changed is not used")
  func changed() throws {
    let orders = DecidedOrders()
    orders.keep(.init(fingerprint: 7, order: [1, 0], decided: 2, failures: 0), number: 3)
    #expect(orders.window(3) { 7 }?.order == [1, 0])
    #expect(orders.window(3) { 8 } == nil)
    #expect(orders.window(4) { 7 } == nil)
  }

  private func order(_ trace: Trace) throws -> [String] {
    let reader = trace.events()
    var event = Event()
    var lines: [String] = []
    while try reader.next(&event) { lines.append("\(event.stream) \(event.object) \(event.count) \(event.clock)") }
    return lines
  }
}
