import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Operations and work items that a program stores itself, and those that a queue has.
@Suite struct StoredItemTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4, deallocate: UInt8 = 5

  private static var names: SampleNames {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "Job.prepare(_:)")
    names.add(0x12, "Job.handOver()")
    names.add(0x13, "Job.finish()")
    func foundation(_ hundred: UInt64, _ name: String) {
      names.add(hundred, name, library: "libFoundation.so", mangled: "$s10Foundation1fyyF")
    }
    foundation(0x14, "BlockOperation.__deallocating_deinit")
    foundation(0x15, "OperationQueue.cancelAllOperations()")
    foundation(0x16, "OperationQueue._schedule()")
    names.add(0x17, "closure #1 in Job.prepare(_:)")
    names.add(
      0x18, "DispatchWorkItem.__deallocating_deinit", library: "libswiftDispatch.so",
      mangled: "$s8Dispatch0A8WorkItemCfD")
    names.add(0x19, "_dispatch_client_callout", library: "libdispatch.so", mangled: "")
    foundation(0x1A, "Operation.completionBlock.setter")
    foundation(0x1B, "Operation.start()")
    foundation(0x1C, "BlockOperation.main()")
    names.add(0x1D, "Job.execute()")
    foundation(0x1F, "Operation.waitUntilFinished()")
    names.add(0x1E, "RunLoop.run()", library: "libFoundation.so", mangled: "$s10Foundation7RunLoopC3runyyF")
    return names
  }

  @Test("An operation that the program starts itself holds its closure while it runs, and no queue does")
  func started() throws {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Report")
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001], time: 1030, arguments: [1, 0])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, 0x1D05, 0x1B05, 0x1C05])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1001, 0x1D05, 0x1B05, 0x1C09])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1009], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1009])
    }
    let lifetime = try Self.lifetime(builder)
    #expect(lifetime.holds.contains { $0.holder == .function("Operation.start()") })
    #expect(lifetime.holds.allSatisfy { if case .activity = $0.holder { false } else { true } })
  }

  /// The report is created in main and retained in prepare(_:); its owner releases it in handOver(), and the operation
  /// or work item by the final release.
  private func lifetime(endsIn calls: [UInt64]) throws -> ObjectLifetime {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Report")
    let end = calls.map { $0 << 8 | 5 }
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001], time: 1030, arguments: [1, 0])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, 0x1105])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1001, 0x1205])
      stream.add(Self.release, 0x5000, count: 0, at: end, time: 1100)
      stream.add(Self.deallocate, 0x5000, at: end)
      stream.add(Self.free, 0x5000, at: end)
    }
    return try Self.lifetime(builder)
  }

  private static func lifetime(_ builder: TraceBuilder) throws -> ObjectLifetime {
    try builder.withFile { path in
      let trace = try Trace(path: path)
      let reader = try LifetimeReader(
        trace, LifetimeSummary(trace), objects: [ObjectID(className: "App.Report", number: 1)], names: names)
      return try #require(reader.lifetimes.first)
    }
  }

  @Test(
    "What an operation or work item captured that the program itself ends was held by the closure, which is an owner",
    arguments: [
      [0x10, 0x13, 0x14], [0x10, 0x13, 0x18], [0x19, 0x17, 0x14], [0x10, 0x13, 0x1A], [0x10, 0x1D, 0x1B],
    ] as [[UInt64]])
  func stored(_ calls: [UInt64]) throws {
    let lifetime = try lifetime(endsIn: calls)
    #expect(lifetime.holds.contains { $0.holder == .closure })
    #expect(lifetime.holds.allSatisfy { if case .activity = $0.holder { false } else { true } })
    #expect(lifetime.lateDeallocation == nil)
  }

  @Test(
    "If a queue's code ends the item, even one that the program called, or its thread, the queue held it",
    arguments: [
      [0x10, 0x13, 0x15, 0x14], [0x19, 0x16, 0x14], [0x19, 0x18], [0x14], [0x19, 0x1B], [0x10, 0x1E, 0x1B],
      [0x10, 0x13, 0x1F, 0x14],
    ] as [[UInt64]])
  func queued(_ calls: [UInt64]) throws {
    let last = try #require(lifetime(endsIn: calls).holds.max { $0.to ?? 0 < $1.to ?? 0 })
    #expect(last.holder.isTransient, "\(last.holder)")
  }
}
