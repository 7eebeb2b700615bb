@testable import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Someone who can write a trace can also write valid checksums.
@Suite struct HostileTraceTests {
  /// Everything that is ever read from a trace.
  private func readAll(_ path: String) throws -> LifetimeSummary {
    let trace = try Trace(path: path)
    let summary = try LifetimeSummary(trace)
    for totals in summary.tracker.classes {
      #expect(totals.allocated == totals.freed + totals.kept + totals.deiniting + totals.liveAtExit)
    }
    var ids = Set(summary.tracker.liveObjects.prefix(8).map(summary.tracker.id))
    for address: UInt64 in [0x5000, 0x5040] {
      ids.formUnion((try? ObjectQuery("0x" + String(address, radix: 16)).resolve(in: trace, summary)) ?? [])
    }
    var reader = HistoryReader(trace)
    for history in try reader.histories(of: ids) {
      let pairing = Pairing(history) {
        CallIdentity(function: $0.event.argument0, caller: UInt64($0.backtrace.rawValue))
      }
      #expect(pairing.pairs.allSatisfy { $0.retain < $0.release && $0.release < history.rows.count })
    }
    _ = summary.liveGroups
    return summary
  }

  @Test("Counts at the limits of an integer are read without overflow")
  func extremeCounts() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node", size: .max)
    builder.addEvents {
      $0.add(1, 0x5000, count: .max - 1, time: 1010)
      $0.add(1, 0x5000)
      $0.add(1, 0x5000)
      $0.add(3, 0x5040, time: 1020, arguments: [1, .max])
      $0.add(6, 0x5040, count: .max - 1, arguments: [.max])
      $0.add(6, 0x5040, arguments: [.max])
      $0.add(7, 0x5040, count: .min, arguments: [.max])
      $0.add(2, 0x5040, count: .max - 1)
      $0.add(7, 0x5080, count: .max - 1, arguments: [.max])
      $0.add(21, 0x5040, arguments: [.max, .max, .max])
      $0.add(19, arguments: [.max])
      $0.add(3, 0xFFFF_FFFF_FFFF_FFF8, time: .max, arguments: [.max, 0])
      $0.add(4, 0xFFFF_FFFF_FFFF_FFF8)
    }
    let summary = try builder.withFile { try readAll($0) }
    #expect(summary.events == 13)
    #expect(summary.tracker.classes.map(\.name) == ["App.Node", "(class 4294967295)"])
  }

  @Test("Any bytes under a valid checksum yield an error or an odd history, never a crash")
  func mutations() throws {
    var random = SeededGenerator(seed: 99)
    let whole = Self.sample().bytes
    for round in Rounds.some(24) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let chunk = round % 4
        let offset = TraceBuilder.offset(ofChunk: chunk) + Int.random(in: 16..<700, using: &random)
        bytes[offset] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : bytes[offset] ^ 0x80
      }
      TraceBuilder.reseal(&bytes)
      try TraceBuilder.withFile(containing: bytes) { _ = try readAll($0) }
    }
  }

  @Test("Any bytes in the file header are rejected with an error or read")
  func fileHeader() throws {
    var random = SeededGenerator(seed: 5)
    let whole = Self.sample().bytes
    for _ in Rounds.some(12) {
      var bytes = whole
      for _ in 0..<3 { bytes[Int.random(in: 8..<384, using: &random)] = .random(in: 0...255, using: &random) }
      try TraceBuilder.withFile(containing: bytes) { path in
        do { _ = try readAll(path) } catch let error as TraceError { #expect(error.description.contains(path)) }
      }
    }
  }

  private static func sample() -> TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addClass(2, "App.Leaf", size: 48)
    for chunk in 0..<3 {
      let stream = UInt32(chunk % 2 + 1)
      builder.addEvents(stream: stream, thread: stream, clock: UInt64(1000 + chunk * 1000)) { events in
        for index in 0..<30 {
          let address = UInt64(0x5000 + index % 7 * 64)
          events.add(3, address, at: [0x10, 0x20], time: events.lastClock + 3, arguments: [UInt64(index % 2 + 1), 0])
          events.add(6, address, count: 3, at: [0x10, 0x20, 0x30 + UInt64(index)], arguments: [2])
          events.add(11, address, count: 4, at: [0x10], time: events.lastClock + 1, arguments: [0x7000, 1])
          events.add(7, address, count: 1, at: [0x10, 0x40], arguments: [3])
          events.add(2, address, count: 0, at: [0x10])
          events.add(5, address, at: [0x10], time: events.lastClock + 1)
          if index % 3 > 0 { events.add(4, address, at: [0x10]) }
        }
      }
    }
    return builder
  }
}
