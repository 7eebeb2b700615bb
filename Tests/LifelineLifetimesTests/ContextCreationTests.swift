import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// When the closure was created whose end released a reference.
@Suite struct ContextCreationTests {
  private static let release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4, deallocate: UInt8 = 5
  private static let handler: UInt64 = 0x5000, inner: UInt64 = 0x6000, outer: UInt64 = 0x7000

  /// The event that created it, for the final release of a handler; `outerClass` is 1 for a handler, 2 for a context.
  private func creation(outerClass: UInt64) throws -> UInt64? {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Handler")
    builder.addClass(2, "App.(closure context)", flags: 4)
    builder.addEvents { stream in
      stream.add(Self.allocate, Self.handler, time: 1010, arguments: [1, 32])
      stream.add(Self.allocate, Self.inner, time: 1020, arguments: [2, 32])
      // The address was another context's before.
      stream.add(Self.allocate, Self.outer, time: 1030, arguments: [2, 32])
      stream.add(Self.release, Self.outer, count: 0, time: 1040)
      stream.add(Self.deallocate, Self.outer, time: 1050)
      stream.add(Self.free, Self.outer, time: 1060)
      stream.add(Self.allocate, Self.outer, time: 1070, arguments: [outerClass, 32])
      stream.add(Self.release, Self.outer, count: 0, time: 1080)
      stream.add(Self.release, Self.inner, count: 0, time: 1090)
      stream.add(Self.release, Self.handler, count: 0, time: 1100)
    }
    return try builder.withFile { path in
      var reader = HistoryReader(try Trace(path: path))
      let history = try #require(try reader.histories(of: [ObjectID(className: "App.Handler", number: 1)]).first)
      return history.finalRelease?.contextCreation?.sequence
    }
  }

  @Test("Of nested closures that end, the youngest counts, and no object at an address that was a closure's before")
  func youngest() throws {
    #expect(try creation(outerClass: 2) == 7)
    #expect(try creation(outerClass: 1) == 2)
  }
}
