import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct LifetimeTrackerTests {
  private func summary(_ builder: TraceBuilder) throws -> LifetimeSummary {
    try builder.withFile { try LifetimeSummary(Trace(path: $0)) }
  }

  @Test("Objects are counted by class: allocated, live, peak, retains, releases")
  func totals() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(3, 0x6000, time: 1020, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2)
      $0.add(7, 0x5000, count: 0, arguments: [2])
      $0.add(5, 0x5000, time: 1030)
      $0.add(4, 0x5000)
      $0.add(3, 0x7000, time: 1040, arguments: [1, 0])
    }
    let node = try #require(try summary(builder).tracker.classes.first)
    #expect(node.name == "App.Node")
    #expect(
      [node.allocated, node.freed, node.liveAtExit, node.peakLive, node.retains, node.releases, node.gaps] == [
        3, 1, 2, 2, 1, 2, 0,
      ])
  }

  @Test("A reused address is a different object")
  func reuse() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addClass(2, "App.Leaf")
    builder.addEvents {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(2, 0x5000, count: 0)
      $0.add(4, 0x5000, time: 1020)
      $0.add(3, 0x5000, time: 1030, arguments: [2, 0])
      $0.add(1, 0x5000, count: 2)
    }
    let tracker = try summary(builder).tracker
    #expect(tracker.object(at: 0x5000) == ObjectID(className: "App.Leaf", number: 1))
    #expect(tracker.classes.map(\.liveAtExit) == [0, 1])
    #expect(tracker.classes[1].retains == 1)
  }

  @Test("A deinited object whose memory unowned references keep is neither live nor freed")
  func deinited() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(9, 0x5000, arguments: [1])
      $0.add(2, 0x5000, count: 0)
      $0.add(5, 0x5000, time: 1020)
    }
    let node = try summary(builder).tracker.classes[0]
    #expect([node.liveAtExit, node.kept, node.freed] == [0, 1, 0])
    builder.addEvents(clock: 1030) {
      $0.add(10, 0x5000, time: 1040, arguments: [1])
      $0.add(4, 0x5000, time: 1041)
    }
    let later = try summary(builder).tracker.classes[0]
    #expect([later.liveAtExit, later.kept, later.freed] == [0, 0, 1])
  }

  @Test("A count that does not follow from the preceding events is a gap")
  func gaps() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2)
      $0.add(1, 0x5000, count: 5)
      $0.add(2, 0x5000, count: 4)
    }
    try #expect(summary(builder).tracker.classes[0].gaps == 1)
  }

  @Test("Another thread's late release belongs to the freed object; the freeing thread's belongs to no object")
  func reordering() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents(stream: 1, thread: 1) {
      $0.add(3, 0x5000, time: 1010, arguments: [1, 0])
      $0.add(2, 0x5000, count: 0, time: 1030)
      $0.add(4, 0x5000)
      $0.add(2, 0x5000, count: 0, time: 1060)
    }
    builder.addEvents(stream: 2, thread: 2) { $0.add(2, 0x5000, count: 1, time: 1040) }
    let tracker = try summary(builder).tracker
    #expect(tracker.reordered == 1)
    #expect(tracker.unattributed == 1)
  }

  @Test("An object older than the recording is named by its address and belongs to no class")
  func older() throws {
    var builder = TraceBuilder()
    builder.addEvents { $0.add(1, 0x5000, count: 9, time: 1010) }
    let tracker = try summary(builder).tracker
    #expect(tracker.object(at: 0x5000)?.description == "0x5000")
    #expect(tracker.classes.isEmpty)
    #expect(tracker.liveObjects.isEmpty)
  }

  @Test("Live objects are grouped by class and allocation site, largest group first")
  func groups() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      for index in 0..<5 {
        $0.add(3, UInt64(0x5000 + index * 64), at: [0x10, 0x20], time: $0.lastClock + 1, arguments: [1, 0])
      }
      $0.add(3, 0x9000, at: [0x10, 0x30], time: 1100, arguments: [1, 100])
    }
    let groups = try summary(builder).liveGroups
    #expect(groups.map(\.count) == [5, 1])
    #expect(groups.map(\.bytes) == [160, 100])
    #expect(groups.map(\.first.description) == ["Node#1", "Node#6"])
  }
}
