import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineGate

@Suite struct LifetimeComparisonTests {
  private func life(
    _ number: Int = 1, site: String = "open()", ordinal: Int = 1, length: UInt64 = 20, live: Bool = false,
    final: String? = "close()", retains: [String: Int] = ["use()": 1],
    releases: [String: Int] = ["use()": 1, "close()": 1]
  ) -> LifetimeSignature {
    var life = LifetimeSignature(
      LifetimeShape(
        className: "App.Node", site: site, retains: retains, releases: releases, finalRelease: live ? nil : final),
      number: number)
    life.ordinal = ordinal
    life.length = length
    life.isLiveAtExit = live
    return life
  }

  private func changes(_ old: [LifetimeSignature], _ new: [LifetimeSignature], tolerance: Int = 50)
    -> [[LifetimeComparison.Change]]
  {
    LifetimeComparison(old: old, new: new, tolerance: tolerance).groups.map(\.changes)
  }

  @Test("Equal lifetimes are not a difference")
  func same() {
    let comparison = LifetimeComparison(old: [life()], new: [life()], tolerance: 0)
    #expect(comparison.groups == [] && comparison.unchanged == 1 && !comparison.isDifferent)
    #expect(!LifetimeComparison(old: [], new: [], tolerance: 0).isDifferent)
  }

  @Test("A new retain, a missing release and an object that is now immortal are differences")
  func leak() {
    let leaked = life(live: true, retains: ["use()": 1, "cache()": 2], releases: ["use()": 1])
    #expect(
      changes([life()], [leaked]) == [[.becameImmortal, .retainAppeared("cache()", 2), .releaseVanished("close()", 1)]])
    #expect(
      changes([leaked], [life()]) == [[.becameMortal, .retainVanished("cache()", 2), .releaseAppeared("close()", 1)]])
  }

  @Test("A final release in another function is a difference")
  func finalRelease() {
    #expect(changes([life()], [life(final: "drain()")]) == [[.finalReleaseMoved(from: "close()", to: "drain()")]])
  }

  @Test("A lifetime is longer if it grows by more than ten events and the tolerance; a shorter one is no difference")
  func length() {
    #expect(changes([life(length: 20)], [life(length: 31)]) == [[.longer]])
    #expect(changes([life(length: 20)], [life(length: 30)]) == [])
    #expect(changes([life(length: 1)], [life(length: 10)]) == [])
    #expect(changes([life(length: 20)], [life(length: 31)], tolerance: 100) == [])
    #expect(changes([life(length: 31)], [life(length: 20)]) == [])
    #expect(changes([life(length: 1)], [life(length: .max)], tolerance: 1_000_000) == [[.longer]])
  }

  @Test("Objects are aligned by class, site and ordinal; those in one recording only are listed and grouped")
  func alignment() {
    let old = [life(1), life(2, ordinal: 2), life(3, site: "other()")]
    let new = [
      life(1, site: "other()"), life(2), life(3, ordinal: 2, live: true), life(4, ordinal: 3), life(5, ordinal: 4),
    ]
    let comparison = LifetimeComparison(old: old, new: new, tolerance: 50)
    #expect(comparison.unchanged == 2)
    #expect(
      comparison.groups.map { "\($0.site) \($0.changes) \($0.count) \($0.first.object)" } == [
        "open() [LifelineGate.LifetimeComparison.Change.becameImmortal] 1 Node#3",
        "open() [LifelineGate.LifetimeComparison.Change.onlyNew] 2 Node#4",
      ])
    #expect(changes(new, old).last == [.onlyOld])
  }

  /// Lifetimes that two threads share.
  private func shared(_ count: Int, live: Int = 0, retains: [String: Int] = ["use()": 1], final: String = "close()")
    -> [LifetimeSignature]
  {
    (0..<count).map { index in
      var life = life(
        index + 1, ordinal: index + 1, live: index < live, final: final, retains: retains, releases: ["close()": 1])
      life.isShared = true
      return life
    }
  }

  @Test("Shared objects are compared as a whole: varying counts, orders and last owners are no difference")
  func sharedLives() {
    #expect(changes(shared(100), shared(104)) == [])
    #expect(changes(shared(100, live: 14), shared(100, live: 17)) == [])
    #expect(changes(shared(100), shared(100, retains: ["use()": 7])) == [])
    #expect(changes(shared(100), shared(100, final: "use()")) == [])
    #expect(LifetimeComparison(old: shared(90), new: shared(100), tolerance: 50).unchanged == 100)
  }

  @Test("Changes in shared objects beyond random variation are differences")
  func sharedDifferences() {
    #expect(changes(shared(100), shared(100, live: 5)) == [[.becameImmortal]])
    #expect(changes(shared(100), shared(100, live: 4)) == [], "fewer than one in twenty")
    #expect(changes(shared(1), shared(1, live: 1)) == [[.becameImmortal]])
    #expect(changes(shared(100, live: 5), shared(100)) == [[.becameMortal]])
    #expect(changes(shared(100), shared(151)) == [[.onlyNew]])
    #expect(changes(shared(151), shared(100)) == [[.onlyOld]])
    #expect(changes([], shared(1)) == [[.onlyNew]])
    #expect(changes(shared(10), shared(10, retains: ["use()": 1, "cache()": 3])) == [[.retainAppeared("cache()", 3)]])
    #expect(changes(shared(10, retains: ["use()": 1, "cache()": 3]), shared(10)) == [[.retainVanished("cache()", 3)]])
    let byLibrary = LifetimeComparison(
      old: shared(10), new: shared(10, retains: ["enqueue": 1]), libraryFunctions: ["enqueue"], tolerance: 50)
    #expect(byLibrary.groups.map(\.changes) == [[.retainVanished("use()", 1)]])
  }

  @Test("One object allocated on another thread makes its whole group shared")
  func threads() {
    var there = life(2, ordinal: 2, length: 200)
    there.thread = 2
    #expect(changes([life(), life(2, ordinal: 2)], [life(length: 100), there]) == [])
    #expect(changes([life(), life(2, ordinal: 2)], [life(length: 100), life(2, ordinal: 2)]) == [[.longer]])
  }

  @Test("Objects that no longer die are listed before new objects, and those before missing ones")
  func ranked() {
    let old = [life(site: "a()"), life(site: "gone()"), life(site: "c()")]
    let new = [life(site: "a()", final: "drain()"), life(site: "fresh()"), life(site: "c()", live: true)]
    #expect(
      LifetimeComparison(old: old, new: new, tolerance: 50).groups.map(\.site) == ["c()", "fresh()", "a()", "gone()"])
  }

  @Test("A trace's lifetimes have their functions, balanced counts and lengths in events of their thread")
  func reader() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addThread(2, name: "worker")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x20, 0x10], time: 1010, arguments: [1, 0])
      $0.add(1, 0x5000, count: 2, at: [0x20, 0x11], time: 1030)
      $0.add(2, 0x5000, count: 1, at: [0x20, 0x12], time: 1040)
      $0.add(2, 0x5000, count: 0, at: [0x20, 0x13], time: 1050)
      $0.add(4, 0x5000, at: [0x20, 0x13], time: 1060)
      $0.add(3, 0x5000, at: [0x20, 0x10], time: 1070, arguments: [1, 0])
    }
    builder.addEvents(stream: 2, thread: 2, clock: 1020) {
      $0.add(3, 0x7000, at: [0x40], time: 1020, arguments: [1, 0])
    }
    let lives = try builder.withFile { path in
      var reader = LifetimeSignatureReader(try Trace(path: path)) { sites, name in
        "\(name) by \(sites.first?.address ?? 0)"
      } tellsCaller: { _ in
        true
      } caller: {
        ("f\($0.first?.address ?? 0)", $0.first?.address == 18)
      }
      let lives = try reader.read()
      #expect(reader.libraryFunctions == ["f18"])
      return lives
    }
    #expect(
      lives.map { "\($0.object) \($0.site) \($0.ordinal) \($0.length) \($0.isLiveAtExit)" } == [
        "Node#1 App.Node by 16 1 3 false", "Node#2 App.Node by 64 1 0 true", "Node#3 App.Node by 16 2 0 true",
      ])
    #expect(
      lives.map(\.thread) == [lives[0].thread, lives[1].thread, lives[0].thread] && !lives.contains(where: \.isShared))
    #expect(
      lives[0].retains == ["f17": 1] && lives[0].releases == ["f18": 1, "f19": 1] && lives[0].finalRelease == "f19")
  }
}

extension LifetimeComparison {
  fileprivate init(
    old: [LifetimeSignature], new: [LifetimeSignature], libraryFunctions: Set<String> = [], tolerance: Int
  ) {
    self.init(
      old: KindsOfLives(old), new: KindsOfLives(new), libraryFunctions: libraryFunctions, tolerance: tolerance)
  }
}
