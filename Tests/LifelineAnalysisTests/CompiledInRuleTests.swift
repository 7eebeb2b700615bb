import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Hold rules that match all functions of classes compiled into the program, such as those of NIO's event loops.
@Suite struct CompiledInRuleTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4, deallocate: UInt8 = 5

  private static var names: SampleNames {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "open()")
    names.add(0x12, "close()")
    names.add(0x13, "EventLoopFuture.wait()", mangled: "$s7NIOCore15EventLoopFutureC4waityyF")
    names.add(0x14, "SelectableEventLoop.schedule(_:)", mangled: "$s8NIOPosix19SelectableEventLoopC8scheduleyyF")
    names.add(0x15, "SelectableEventLoop.run()", mangled: "$s8NIOPosix19SelectableEventLoopC3runyyF")
    names.add(0x16, "SelectableEventLoop.deinit", mangled: "$s8NIOPosix19SelectableEventLoopCfd")
    return names
  }

  /// The panel is created in open(); its owner releases it in close(), and another reference ends with the final
  /// release.
  private func lifetime(takenBy taker: UInt64, endsIn ender: UInt64, inOneCall: Bool = false) throws -> ObjectLifetime {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Panel")
    builder.addEvents { stream in
      let caller: [UInt64] = inOneCall ? [0x1001] : [0x1002]
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1030, arguments: [1, 0])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, taker << 8 | 5])
      stream.add(Self.release, 0x5000, count: 1, at: (inOneCall ? [0x1001, taker << 8 | 7] : [0x1001]) + [0x1205])
      stream.add(Self.release, 0x5000, count: 0, at: caller + [ender << 8 | 9], time: 1100)
      stream.add(Self.deallocate, 0x5000, at: caller)
      stream.add(Self.free, 0x5000, at: caller)
    }
    return try builder.withFile { path in
      let trace = try Trace(path: path)
      let reader = try LifetimeReader(
        trace, LifetimeSummary(trace), objects: [ObjectID(className: "App.Panel", number: 1)], names: Self.names)
      return try #require(reader.lifetimes.first)
    }
  }

  @Test("A reference given to an event loop is held by the loop until it is released")
  func scheduled() throws {
    let last = try #require(lifetime(takenBy: 0x14, endsIn: 0x15).holds.max { $0.to ?? 0 < $1.to ?? 0 })
    guard case .activity(let rule) = last.holder else { throw RuleError() }
    #expect(rule.id == "event-loop")
  }

  @Test("A reference that an event loop's function takes and drops in one call is held by that function")
  func oneCall() throws {
    let lifetime = try lifetime(takenBy: 0x13, endsIn: 0x13, inOneCall: true)
    #expect(lifetime.holds.contains { $0.holder == .function("EventLoopFuture.wait()") })
    #expect(lifetime.lateDeallocation == nil)
  }

  @Test("A reference that an event loop's deinit releases was stored, not held by an activity")
  func stored() throws {
    let lifetime = try lifetime(takenBy: 0x14, endsIn: 0x16)
    #expect(lifetime.holds.allSatisfy { if case .activity = $0.holder { false } else { true } })
    #expect(lifetime.lateDeallocation == nil)
  }

  private struct RuleError: Error {}
}
