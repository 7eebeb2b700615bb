import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Which of two references a function releases: the stored one, or the one that a running caller took.
@Suite struct LenderTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4
  private static let allocation: UInt64 = 1, announcement: UInt64 = 2

  private static var names: SampleNames {
    var names = SampleNames()
    names.add(0x10, "main")
    names.add(0x11, "open()")
    names.add(0x12, "announce()")
    names.add(0x13, "closure #1 in announce()")
    names.add(0x14, "closure #1 in open()")
    names.add(0x15, "reload()")
    names.add(0x16, "partial apply for closure #1 in open()")
    names.add(0x18, "Store.panel.setter")
    names.add(0x19, "Store.panel.getter")
    names.add(0x17, "partial apply for closure #1 in announce()")
    names.add(
      0x21, "NotificationCenter.post(name:object:)", library: "libFoundation.so", mangled: "$s10Foundation1gyyF")
    names.add(0x22, "Observers.notify()", library: "libFoundation.so", mangled: "$s10Foundation1hyyF")
    return names
  }

  /// The event whose reference is released inside of announce(), which took one as well; main releases the other.
  private func released(in callees: [UInt64]) throws -> UInt64 {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addImage(2, "/lib/libFoundation.so", addresses: 0x2000..<0x3000, flags: 2)
    builder.addClass(1, "App.Panel")
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1010, arguments: [1, 0])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x1203])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x1203] + callees)
      stream.add(Self.release, 0x5000, count: 0, at: [0x1009], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1009])
    }
    return try builder.withFile { path in
      let trace = try Trace(path: path)
      let reader = try LifetimeReader(
        trace, LifetimeSummary(trace), objects: [ObjectID(className: "App.Panel", number: 1)], names: Self.names)
      let lifetime = try #require(reader.lifetimes.first)
      let pair = try #require(lifetime.pairing.pairs.first { lifetime.history.rows[$0.release].event.sequence == 3 })
      return lifetime.history.rows[pair.retain].event.sequence
    }
  }

  @Test("A function releases the reference that its caller took and passed on")
  func direct() throws { #expect(try released(in: [0x1505]) == Self.announcement) }

  @Test("A closure or function that a library calls borrows its arguments: it releases a stored reference")
  func called() throws {
    #expect(try released(in: [0x2101, 0x1405]) == Self.allocation)
    #expect(try released(in: [0x2101, 0x1404, 0x1505]) == Self.allocation)
  }

  @Test("A setter that such a closure calls releases the stored reference: its argument is the closure's")
  func setter() throws { #expect(try released(in: [0x2101, 0x1404, 0x1805]) == Self.allocation) }

  @Test("The same if the closure was inlined into its entry point")
  func inlined() throws {
    #expect(try released(in: [0x2101, 0x1605]) == Self.allocation)
    #expect(try released(in: [0x2101, 0x1705]) == Self.announcement)
  }

  @Test("A closure that a library calls may release what is in a variable of the function that contains it")
  func contained() throws { #expect(try released(in: [0x2101, 0x1305]) == Self.announcement) }

  @Test("A function releases what its property's getter returned, not what a library that it called took meanwhile")
  func getter() throws {
    var builder = TraceBuilder()
    builder.addImage(1, "/bin/app", addresses: 0x1000..<0x2000)
    builder.addImage(2, "/lib/libFoundation.so", addresses: 0x2000..<0x3000, flags: 2)
    builder.addClass(1, "App.Panel")
    builder.addEvents { stream in
      stream.add(Self.allocate, 0x5000, at: [0x1001, 0x1105], time: 1010, arguments: [1, 0])
      stream.add(Self.retain, 0x5000, count: 2, at: [0x1002, 0x1203, 0x1901])
      stream.add(Self.retain, 0x5000, count: 3, at: [0x1002, 0x1204, 0x2105])
      stream.add(Self.release, 0x5000, count: 2, at: [0x1002, 0x1204, 0x2205])
      stream.add(Self.release, 0x5000, count: 1, at: [0x1002, 0x1206])
      stream.add(Self.release, 0x5000, count: 0, at: [0x1009], time: 1100)
      stream.add(Self.free, 0x5000, at: [0x1009])
    }
    try builder.withFile { path in
      let trace = try Trace(path: path)
      let reader = try LifetimeReader(
        trace, LifetimeSummary(trace), objects: [ObjectID(className: "App.Panel", number: 1)], names: Self.names)
      let lifetime = try #require(reader.lifetimes.first)
      let rows = lifetime.history.rows
      let pairs = Dictionary(
        uniqueKeysWithValues: lifetime.pairing.pairs.map {
          (rows[$0.release].event.sequence, rows[$0.retain].event.sequence)
        })
      #expect(pairs[5] == 2)
    }
  }
}
