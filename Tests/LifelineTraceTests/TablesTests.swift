import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct TablesTests {
  @Test("Program, classes, threads and detours are read from their records")
  func tables() throws {
    var builder = TraceBuilder()
    builder.addClass(3, "App.Outer.Inner<Swift.Int>", size: 48)
    builder.addClass(4, "App.(closure context)", size: 0, flags: 4)
    builder.addThread(2, name: "worker")
    builder.end = (2, 9)
    builder.counters = [5: 12]
    try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(trace.tables.programPath == "/bin/app")
      #expect(trace.tables.arguments == ["app"])
      #expect(trace.tables.classes[3]?.shortName == "Outer.Inner<Swift.Int>")
      #expect(trace.tables.classes[3]?.instanceSize == 48)
      #expect(trace.tables.classes[4]?.sort == .closure)
      #expect(trace.tables.threads[2]?.name == "worker")
      #expect(trace.tables.detours.count == 4)
      #expect(trace.recording.end == .signal(9))
      #expect(
        trace.recording.counters.map { "\($0.value) \($0.meaning) (\($0.name))" } == [
          "12 backtraces deeper than the limit (truncatedBacktraces)"
        ])
      #expect(trace.recording.nanoseconds(at: 1500) == 500)
      #expect(trace.problems == [])
    }
  }

  @Test("A record of an unknown kind is skipped, and one that is cut off is counted")
  func damagedRecords() throws {
    var builder = TraceBuilder()
    builder.addRecord(999, [1, 2, 3, 4, 5, 6, 7, 8])
    builder.addRecord(4, [1, 0, 0, 0])
    builder.addClass(7, "App.Last")
    try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(trace.problems == ["An information record is damaged; it was skipped."])
      #expect(trace.tables.classes[7]?.name == "App.Last")
    }
  }

  @Test("An address used twice belongs to the image that was mapped there at the time")
  func reusedImages() {
    let first = Image(
      id: 1, path: "/a.so", loadBias: 0, addresses: 0x1000..<0x2000, buildID: [], loaded: 10, unloaded: 20)
    let second = Image(id: 2, path: "/b.so", loadBias: 0, addresses: 0x1000..<0x2000, buildID: [], loaded: 30)
    var tables = TraceTables()
    tables.append(first)
    tables.append(second)
    #expect(tables.image(at: 0x1800, clock: 15)?.name == "a.so")
    #expect(tables.image(at: 0x1800, clock: 40)?.name == "b.so")
    #expect(tables.image(at: 0x3000) == nil)
  }
}
