import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineAnalysis

/// Who had a reference that inlined code took.
@Suite struct InlinedHolderTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4
  private static let useAfterFree: UInt8 = 21

  /// main 0x10, run 0x11 with open 0x12 inlined.
  private func hold(releasedAt release: UInt64, optimized: Bool = true) throws -> Hold {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "run()")
    names.add(0x12, "Bank.open(_:)")
    names.inlinedInto = [0x12: 0x11]
    names.optimized = [0x10: optimized, 0x11: optimized, 0x12: optimized]
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Account")
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1201], time: 1010, arguments: [1, 24])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1001, 0x1202])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1001, release])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1001, 0x1108], time: 1040)
      stream.add(Self.free, 0x5000, at: [0x1001, 0x1108])
      stream.add(Self.useAfterFree, 0x5000, at: [0x1001, 0x1109], time: 1050, arguments: [1, 0x1400, 56])
    }
    let diagnosis = try builder.withFile { try Diagnosis(Trace(path: $0), names: names) }
    let holds = try #require(diagnosis.findings.first?.lifetime?.holds)
    return try #require(holds.first { $0.retain.event.sequence == 2 })
  }

  @Test("What an inlined function took and released, it had")
  func own() throws {
    let hold = try hold(releasedAt: 0x1205)
    #expect(hold.holder == .function("Bank.open(_:)") && hold.confidence == .sure)
  }

  @Test("What an inlined function took and the code around it released, that code had perhaps")
  func returned() throws {
    let hold = try hold(releasedAt: 0x1105)
    #expect(hold.holder == .function("run()") && hold.confidence == .perhaps && hold.balance == .sure)
  }
}
