import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct ObjectQueryTests {
  private func builder() -> TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, "App.DetailViewController")
    builder.addClass(2, "Kit.DetailViewController")
    builder.addEvents {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(4, 0x5000, time: 1020)
      $0.add(3, 0x5000, time: 1030, arguments: [2, 0])
      $0.add(1, 0x5000, count: 2)
    }
    return builder
  }

  private func resolve(_ text: String) throws -> [String] {
    try builder().withFile { path in
      let trace = try Trace(path: path)
      return try ObjectQuery(text).resolve(in: trace, LifetimeSummary(trace)).map { "\($0.className)#\($0.number)" }
    }
  }

  private func sentence(_ text: String) throws -> String? {
    try #require(throws: TraceError.self) { try resolve(text) }.description
  }

  @Test("A short name matches every class with that name, a full name only its own, an address all its objects")
  func names() throws {
    try #expect(resolve("DetailViewController#1") == ["App.DetailViewController#1", "Kit.DetailViewController#1"])
    try #expect(resolve("Kit.DetailViewController#1") == ["Kit.DetailViewController#1"])
    try #expect(resolve("0x5000") == ["App.DetailViewController#1", "Kit.DetailViewController#1"])
  }

  @Test("A raw identifier is found as the source spells it and as the runtime does")
  func blanks() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.`old\u{A0}view`")
    builder.addEvents { $0.add(3, 0x5000, time: 1010, arguments: [1, 0]) }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      for name in ["`old view`#1", "App.`old\u{A0}view`#1"] {
        #expect(try ObjectQuery(name).resolve(in: trace, LifetimeSummary(trace)).map(\.number) == [1])
      }
    }
  }

  @Test("A nearly correct name gets a suggestion, and a wrong number the actual count")
  func suggestions() throws {
    try #expect(
      sentence("DetailViewControler#1")
        == "There is no object of the class 'DetailViewControler' in the trace. Did you mean DetailViewController#1?")
    try #expect(
      sentence("App.DetailViewController#4")
        == "There is no 'App.DetailViewController#4': 1 object of App.DetailViewController was "
        + "recorded, numbered from 1."
    )
    try #expect(sentence("Zebra#1") == "There is no object of the class 'Zebra' in the trace.")
    try #expect(sentence("0x77") == "No recorded object is at the address 0x77.")
    try #expect(sentence("nonsense") == "'nonsense' is not an object; write it as Class#number or as an address.")
  }

  @Test("Leaving out a generic class's arguments suggests the full name")
  func generic() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Child<Swift.Dictionary<Swift.String, Swift.Int>>")
    builder.addEvents { $0.add(3, 0x5000, time: 1010, arguments: [1, 0]) }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      let error = try #require(throws: TraceError.self) {
        try ObjectQuery("Child#1").resolve(in: trace, LifetimeSummary(trace))
      }
      #expect(
        error.description
          == "There is no object of the class 'Child' in the trace. "
          + "Did you mean Child<Swift.Dictionary<Swift.String, Swift.Int>>#1?")
    }
  }

  @Test("A history has exactly its object's events, with the final release and gaps marked")
  func history() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(3, 0x6000, time: 1020, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2)
      $0.add(2, 0x6000, count: 3)
      $0.add(2, 0x6000, count: 0)
      $0.add(4, 0x6000, time: 1030)
      $0.add(3, 0x6000, time: 1040, arguments: [1, 0])
      $0.add(1, 0x6000, count: 2)
    }
    try builder.withFile { path in
      var reader = HistoryReader(try Trace(path: path))
      let history = try #require(try reader.histories(of: [ObjectID(className: "App.Node", number: 2)]).first)
      #expect(
        history.rows.map {
          "\($0.event.sequence) \($0.event.kind)\($0.isFinalRelease ? " final" : "")\($0.isAfterGap ? " gap" : "")"
        }
          == ["2 allocate", "4 release gap", "5 release final gap", "6 free"])
    }
  }
}
