import LifelineAnalysis
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// The classes that a second run must record, after one at depth lives.
@Suite struct UnsureEndTests {
  private static let allocate: UInt8 = 3, free: UInt8 = 4, deallocate: UInt8 = 5

  private func classes(jobEnd: [UInt64]) throws -> UnsureEndInspector.Classes {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "close()")
    names.functions[0x20] = CodeFrame(
      function: "_dispatch_call_block_and_release", image: "libdispatch.so", isSystem: true)
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addClass(1, "App.Job")
    builder.addClass(2, "app.(closure context)", flags: 4)
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001], time: 1010, arguments: [1, 32])
      stream.add(Self.allocate, 0x6000, at: [0x1001], time: 1020, arguments: [2, 32])
      stream.add(Self.deallocate, 0x6000, at: [0x1001, 0x1103], time: 1030)
      stream.add(Self.free, 0x6000, at: [0x1001, 0x1103], time: 1040)
      stream.add(Self.deallocate, 0x5000, at: jobEnd, time: 1050)
      stream.add(Self.free, 0x5000, at: jobEnd, time: 1060)
    }
    return try builder.withFile {
      try UnsureEndInspector(Trace(path: $0), names: names, rules: HoldRules()).classes()
    }
  }

  @Test("Where an activity freed an object, closure contexts are needed as well, whatever freed them")
  func contexts() throws {
    let unsure = try classes(jobEnd: [0x2001])
    #expect(unsure.passing == ["App.Job"] && unsure.contexts == ["app.(closure context)"])
    let sure = try classes(jobEnd: [0x1001, 0x1105])
    #expect(sure.passing == [] && sure.contexts == [])
  }
}
