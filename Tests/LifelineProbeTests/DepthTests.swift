import LifelineLifetimes
import LifelineTestSupport
import Testing

@testable import LifelineTrace

@Suite("Depth lives", .startsPrograms, .timeLimit(.minutes(60))) struct DepthTests {
  private static let source = """
    import Dispatch
    class Base { init() {} }
    final class Derived: Base { var text = "x" }
    struct Failure: Error {}
    final class Failing: Base { let base: Base; \
    init(_ fail: Bool) throws { base = Base(); if fail { throw Failure() }; super.init() } }
    final class Watcher { unowned let base: Base; init(_ base: Base) { self.base = base } }
    func work() -> [Base] {
      var kept: [Base] = []
      for index in 0..<1000 {
        kept.append(index % 2 == 0 ? Base() : Derived())
        if index % 3 == 0 { kept.remove(at: kept.count / 2) }
        if let failing = try? Failing(index % 5 == 0) { kept.append(failing) }
      }
      return kept
    }
    nonisolated(unsafe) var results: [[Base]] = Array(repeating: [], count: 4)
    nonisolated(unsafe) var watcher: Watcher?
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      let kept = work()
      results.withUnsafeMutableBufferPointer { $0[index] = kept }
    }
    // What one thread allocated, another frees.
    DispatchQueue.concurrentPerform(iterations: 4) { index in \
    results.withUnsafeMutableBufferPointer { $0[index].removeLast(100) } }
    do { let base = Derived(); watcher = Watcher(base) }
    print(results.map(\\.count))
    """

  @Test(
    "Totals equal those of a full recording, with several threads and throwing initializers",
    arguments: ["-Onone", "-O"])
  func totals(_ level: String) throws {
    let program = try TestProgram(Self.source, options: [level])
    let full = try RecordedRun(program)
    let lives = try RecordedRun(program, options: "depth=lives")
    #expect(full.behavesTheSame && lives.behavesTheSame)
    #expect(full.trace.recording.depth == .full)
    #expect(lives.trace.recording.depth == .lives)
    for name in ["Base", "Derived", "Failing", "Watcher"] {
      let expected = try #require(full.totals(name)), found = try #require(lives.totals(name))
      #expect(found.allocated == expected.allocated, "\(name)")
      #expect(found.freed == expected.freed, "\(name)")
      #expect(found.kept == expected.kept, "\(name)")
      #expect(found.liveAtExit == expected.liveAtExit, "\(name)")
    }
    // The object whose memory an unowned reference keeps has been deinitialized.
    #expect(lives.totals("Derived")?.kept == 1)
  }

  @Test(
    "The trace contains only allocations, deallocations, frees, threads and tasks, with or without zombies",
    arguments: ["", ":zombies=1"])
  func kinds(_ zombies: String) throws {
    let run = try RecordedRun(try TestProgram(Self.source), options: "depth=lives\(zombies)")
    #expect(run.behavesTheSame)
    let kinds = EventKind.allCases.filter { run.summary.tracker.eventCounts[Int($0.rawValue)] > 0 }
    #expect(Set(kinds).subtracting([.thread, .task]) == [.allocate, .deallocate, .free])
    #expect(run.summary.tracker.unattributed == 0)
    #expect(run.summary.tracker.reordered == 0)
    #expect(run.trace.recording.counters.filter { $0.name.hasPrefix("lost") }.isEmpty)
  }

  @Test(
    "Memory that one thread frees and another reuses is freed before it is allocated again, for any quarantine",
    arguments: ["", ":quarantine=4096", ":quarantine=65536"])
  func reuse(_ quarantine: String) throws {
    let source = """
      import Dispatch
      class Item { var next = 0 }
      final class Large: Item { var a = (1, 2, 3, 4) }
      let lock = DispatchSemaphore(value: 1)
      nonisolated(unsafe) var shelf: [Item] = []
      DispatchQueue.concurrentPerform(iterations: 6) { index in
        for round in 0..<20_000 {
          let item = (round + index) % 3 == 0 ? Large() : Item()
          if round % 2 == 0 { continue }
          lock.wait()
          // Another thread frees it and reuses its memory.
          let taken = shelf.count > 40 ? shelf.remove(at: (round &* 7) % shelf.count) : nil
          shelf.append(item)
          lock.signal()
          if round % 999 == 0 { withExtendedLifetime(taken) { sleep() } }
        }
      }
      func sleep() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2)) }
      shelf = []
      """
    let run = try RecordedRun(
      try TestProgram(source, options: ["-O"]), options: "depth=lives:zombies=1\(quarantine)")
    #expect(run.behavesTheSame)
    let item = try #require(run.totals("Item")), large = try #require(run.totals("Large"))
    #expect(item.allocated + large.allocated == 120_000)
    #expect(item.freed == item.allocated && large.freed == large.allocated)
    #expect(run.summary.tracker.unattributed == 0)
    // The recorded times alone give this order, without the reader's reconstruction.
    var isAlive: [UInt64: Bool] = [:], wrong = 0
    for event in try Self.byClock(run.trace) where [.allocate, .free].contains(event.kind) {
      let isBirth = event.kind == .allocate
      if isAlive[event.object, default: !isBirth] == isBirth { wrong += 1 }
      isAlive[event.object] = isBirth
    }
    #expect(isAlive.count > 100)
    #expect(wrong == 0)
  }

  /// All events by their last known time, then by stream.
  private static func byClock(_ trace: Trace) throws -> [Event] {
    var events: [Event] = [], problems = ProblemList()
    for (number, chunks) in trace.index.streams.sorted(by: { $0.key < $1.key }) {
      let reader = StreamReader(number: number, chunks: chunks, of: trace)
      var event = Event()
      while try reader.next(&event, &problems) {
        event.stream = Int(number)
        event.sequence = UInt64(events.count)
        events.append(event)
      }
    }
    return events.sorted { ($0.clock, $0.sequence) < ($1.clock, $1.sequence) }
  }

  @Test("Allocations have the same backtraces as in a full recording", arguments: ["-Onone", "-O"])
  func backtraces(_ level: String) throws {
    let source = """
      final class Leaf { var value = 0 }
      nonisolated(unsafe) var leaves: [Leaf] = []
      @_optimize(none) func deep(_ depth: Int) { \
      if depth == 0 { leaves.append(Leaf()) } else { deep(depth - 1); withExtendedLifetime(depth) {} } }
      for index in 0..<200 { deep(index % 40) }
      print(leaves.count)
      """
    let program = try TestProgram(source, options: [level])
    let depths = try ["depth=full", "depth=lives"].map { (options: String) -> [Int] in
      let run = try RecordedRun(program, options: options)
      return run.summary.tracker.liveObjects.map { run.summary.tracker.backtraces.entries($0.allocation).count }
    }
    #expect(depths[0].count == 200)
    #expect(Set(depths[0]).count == 40)
    #expect(depths[0] == depths[1])
  }

  @Test(
    "Only the chosen classes have retains and releases in the trace; all classes have allocations and frees",
    arguments: ["-Onone", "-O"])
  func retains(_ level: String) throws {
    let program = try TestProgram(Self.source, options: [level])
    let full = try RecordedRun(program)
    let some = try RecordedRun(program, options: "retains=*.Derived:retains=Watcher")
    #expect(some.behavesTheSame)
    #expect(some.trace.classesWithoutRetains.contains { $0.hasSuffix(".Base") })
    for name in ["Base", "Derived", "Failing", "Watcher"] {
      let expected = try #require(full.totals(name)), found = try #require(some.totals(name))
      let isChosen = ["Derived", "Watcher"].contains(name)
      #expect(
        found.allocated == expected.allocated && found.freed == expected.freed && found.kept == expected.kept, "\(name)"
      )
      #expect(
        found.retains == (isChosen ? expected.retains : 0) && found.releases == (isChosen ? expected.releases : 0),
        "\(name)")
      #expect(found.gaps == 0, "\(name)")
    }
    #expect(some.summary.tracker.unattributed == 0)
  }
}
