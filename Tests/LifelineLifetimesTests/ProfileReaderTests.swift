import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct ProfileReaderTests {
  private static let retain: UInt8 = 1, release: UInt8 = 2, allocate: UInt8 = 3, free: UInt8 = 4

  private func profile(
    _ selection: EventSelection = .all, limit: Int = ProfileReader.backtraceLimit,
    lives: ((ObjectSummary) throws -> Void)? = nil,
    _ fill: (inout StreamBuilder) -> Void
  ) throws -> LifetimeProfile {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addClass(2, "App.Leaf", size: 48)
    builder.addEvents { fill(&$0) }
    return try builder.withFile {
      try ProfileReader(Trace(path: $0), selection, backtraceLimit: limit, lives: lives).read()
    }
  }

  private func cost(_ profile: LifetimeProfile, _ name: String) -> ProfileCost {
    profile.classes.firstIndex { $0.name == name }.map { profile.byClass[$0] } ?? ProfileCost()
  }

  /// A node that stays live, a node and a leaf that die, and a retain of an object older than the recording.
  private func lifetime(_ stream: inout StreamBuilder) {
    stream.add(Self.allocate, 0x5000, at: [0x10, 0x20], time: 1100, arguments: [1, 0])
    stream.add(Self.allocate, 0x5040, at: [0x10, 0x20], time: 1200, arguments: [1, 64])
    stream.add(Self.allocate, 0x5080, at: [0x10, 0x30], time: 1300, arguments: [2, 0])
    stream.add(Self.retain, 0x5000, count: 2, at: [0x10, 0x40], time: 1400)
    stream.add(Self.release, 0x5040, count: 0, at: [0x10, 0x50], time: 1500)
    stream.add(Self.free, 0x5040, at: [0x10, 0x50], time: 1600)
    stream.add(Self.release, 0x5080, count: 0, at: [0x10, 0x50], time: 1700)
    stream.add(Self.free, 0x5080, at: [0x10, 0x50], time: 1800)
    stream.add(Self.retain, 0x9000, count: 3, at: [0x10], time: 1900)
  }

  @Test("Events are counted by class and backtrace, bytes by object size, and unended objects are live")
  func counting() throws {
    let profile = try profile { lifetime(&$0) }
    #expect(profile.events == 9)
    let node = cost(profile, "App.Node")
    #expect(node.allocations == 2 && node.bytes == 32 + 64 && node.live == 1 && node.liveBytes == 32)
    #expect(node.retains == 1 && node.releases == 1 && node.avoidable == 0)
    let leaf = cost(profile, "App.Leaf")
    #expect(leaf.allocations == 1 && leaf.bytes == 48 && leaf.live == 0 && leaf.liveBytes == 0 && leaf.releases == 1)
    #expect(profile.byClass[0].retains == 1, "of an object older than the recording")
    let places = profile.samples.filter { $0.cost.allocations > 0 }.map {
      profile.backtraces.entries($0.backtrace).map(\.address)
    }
    #expect(places == [[0x20, 0x10], [0x30, 0x10]])
  }

  @Test("Classes and a time span can be selected; objects allocated before the span keep their class")
  func selection() throws {
    let nodes = try profile(EventSelection { $0 == "App.Node" }) { lifetime(&$0) }
    #expect(nodes.total == cost(nodes, "App.Node") && nodes.total.allocations == 2)
    // The builder's clock starts at 1000, and a tick is a nanosecond.
    let late = try profile(EventSelection(span: 250..<600)) { lifetime(&$0) }
    #expect(late.total.allocations == 1 && late.total.retains == 1 && late.total.releases == 1)
    #expect(cost(late, "App.Node").allocations == 0 && cost(late, "App.Node").retains == 1)
  }

  @Test("A retain and release in one call are avoidable only if another owner holds the object throughout")
  func avoidable() throws {
    func count(_ fill: (inout StreamBuilder) -> Void) throws -> Int {
      try profile {
        $0.add(Self.allocate, 0x5000, at: [0x10, 0x20], time: 1100, arguments: [1, 0])
        fill(&$0)
      }.total.avoidable
    }
    let around = try count {
      $0.add(Self.retain, 0x5000, count: 2, at: [0x10, 0x40])
      $0.add(Self.retain, 0x5000, count: 3, at: [0x10, 0x41, 0x60])
      $0.add(Self.release, 0x5000, count: 2, at: [0x10, 0x41, 0x61])
      $0.add(Self.release, 0x5000, count: 1, at: [0x10, 0x42])
    }
    #expect(around == 2)
    let ownerGoes = try count {
      $0.add(Self.retain, 0x5000, count: 2, at: [0x10, 0x40])
      $0.add(Self.release, 0x5000, count: 1, at: [0x10, 0x41, 0x61])
      $0.add(Self.release, 0x5000, count: 0, at: [0x10, 0x42])
    }
    #expect(ownerGoes == 0)
    let anotherCall = try count {
      $0.add(Self.retain, 0x5000, count: 2, at: [0x10, 0x40, 0x70])
      $0.add(Self.release, 0x5000, count: 1, at: [0x10, 0x41, 0x71])
    }
    #expect(anotherCall == 0, "another call released it")
    let laterOwner = try count {
      $0.add(Self.retain, 0x5000, count: 2, at: [0x10, 0x40])
      $0.add(Self.retain, 0x5000, count: 3, at: [0x10, 0x41, 0x70])
      $0.add(Self.release, 0x5000, count: 2, at: [0x10, 0x42])
      $0.add(Self.release, 0x5000, count: 1, at: [0x10, 0x43, 0x90])
    }
    #expect(laterOwner == 1, "a new owner in the meantime does not matter")
  }

  @Test("Beyond the backtrace limit an event keeps only its innermost site and counts as shortened")
  func limit() throws {
    let profile = try profile(limit: 10) { stream in
      for index in 0..<100 as Range<UInt64> {
        stream.add(
          Self.allocate, 0x5000 + index * 64, at: [0x10, 0x1000 + index, 0x20], time: 1100 + index, arguments: [1, 0])
      }
    }
    #expect(profile.total.allocations == 100 && profile.shortened > 80)
    #expect(profile.backtraces.count < 20)
    let last = try #require(profile.samples.last)
    #expect(
      profile.backtraces.entries(last.backtrace) == [BacktraceEntry(returnAddress: 0x20), BacktraceEntry(word: 4)])
  }

  @Test("Objects are listed as they end, then the live ones, with times and sites of both ends")
  func lives() throws {
    var lives: [ObjectSummary] = []
    _ = try profile(lives: { lives.append($0) }) { lifetime(&$0) }
    #expect(lives.map(\.address) == [0x5040, 0x5080, 0x5000])
    #expect(lives.map(\.state) == [.freed, .freed, .live])
    #expect(lives.map(\.number) == [2, 1, 1])
    #expect(lives[0].allocation.sequence == 2 && lives[0].finalRelease?.sequence == 5 && lives[0].freed?.sequence == 6)
    #expect(lives[2].retains == 1 && lives[2].finalRelease == nil && lives[2].freed == nil)
  }

  @Test("An object list keeps the first in its order, counts all, and can omit ended objects")
  func lists() throws {
    func numbers(_ order: ObjectOrder, limit: Int, liveOnly: Bool = false) throws -> (shown: [UInt64], list: ObjectList)
    {
      var list = ObjectList(order: order, limit: limit, liveOnly: liveOnly)
      _ = try profile(lives: { list.add($0) }, lifetime)
      return (list.lives.map(\.address), list)
    }
    try #expect(numbers(.allocated, limit: 5).shown == [0x5000, 0x5040, 0x5080])
    try #expect(numbers(.size, limit: 2).shown == [0x5040, 0x5080])
    // The live object is the oldest; the others lived for 400 and 500.
    try #expect(numbers(.age, limit: 2).shown == [0x5000, 0x5080])
    try #expect(numbers(.retains, limit: 1).shown == [0x5000])
    let one = try numbers(.size, limit: 1).list
    #expect(one.count == 3 && one.liveCount == 1 && one.lives.count == 1)
    let live = try numbers(.allocated, limit: 5, liveOnly: true)
    #expect(live.shown == [0x5000] && live.list.count == 1)
  }
}
