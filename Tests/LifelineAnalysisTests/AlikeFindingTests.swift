import LifelineAnalysis
import LifelineSymbolication
import LifelineTraceBuilder
import Testing

extension StoryTests {
  /// A panel that a post keeps when its window releases it at `close`, and that is used at `update` in between, all of
  /// it called at `outer`.
  private func lateLife(
    _ stream: inout StreamBuilder, update: UInt64 = 0x1601, close: UInt64 = 0x1205, outer: UInt64 = 0x1001,
    at time: UInt64
  ) {
    stream.add(Self.allocate, 0x5000, at: [outer, 0x1105, 0x1401], time: time, arguments: [1, 0])
    stream.add(Self.retain, 0x5000, count: 2, at: [outer, 0x1110, 0x2001])
    stream.add(Self.release, 0x5000, count: 1, at: [outer, 0x2101, close])
    stream.add(Self.retain, 0x5000, count: 2, at: [outer, 0x2101, update])
    stream.add(Self.release, 0x5000, count: 1, at: [outer, 0x2101, update + 8])
    stream.add(Self.release, 0x5000, count: 0, at: [outer, 0x2150], time: time + 70)
    stream.add(Self.free, 0x5000, at: [outer, 0x2150])
  }

  @Test("Three objects with the same problem at the same lines are one finding that counts the other two")
  func alike() throws {
    let diagnosis = try diagnose { stream in for life: UInt64 in 1...3 { lateLife(&stream, at: 1000 * life + 100) } }
    #expect(diagnosis.findings.map(\.object.description) == ["Panel#1"])
    let finding = try #require(diagnosis.findings.first)
    #expect(finding.kind == .lateDeallocation)
    #expect(finding.alike.map(\.object.description) == ["Panel#2", "Panel#3"])
    #expect(finding.alike.flatMap(\.alike).isEmpty)
  }

  @Test("An owner that lets go at another line, or in another test, makes a separate finding")
  func unlike() throws {
    var names = Self.names
    names.hasLines = true
    for (hundred, test) in [(0x1D, "SessionTests.testOpening()"), (0x1E, "SessionTests.testClosing()")] {
      names.functions[UInt64(hundred)] = CodeFrame(function: test, image: "AppTests.xctest")
    }
    let diagnosis = try diagnose(names: names) { stream in
      lateLife(&stream, outer: 0x1D01, at: 1100)
      lateLife(&stream, close: 0x1207, outer: 0x1D01, at: 2100)
      lateLife(&stream, outer: 0x1E01, at: 3100)
      lateLife(&stream, outer: 0x1E01, at: 4100)
    }
    #expect(diagnosis.findings.map(\.object.description) == ["Panel#1", "Panel#2", "Panel#3"])
    #expect(diagnosis.findings.map(\.alike.count) == [0, 0, 1])
  }

  @Test("A near miss and a late deallocation of the same object stay two findings, each with its own similar ones")
  func alikeNearMisses() throws {
    let diagnosis = try diagnose { stream in
      for life: UInt64 in 1...2 { lateLife(&stream, update: 0x1301, at: 1000 * life + 100) }
    }
    #expect(diagnosis.findings.map(\.kind) == [.nearMiss, .lateDeallocation])
    #expect(diagnosis.findings.map(\.alike.count) == [1, 1])
  }
}
