import Foundation
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

/// Programs whose traces keep only their latest part.
@Suite("Flight recorder", .startsPrograms, .timeLimit(.minutes(60))) struct RingProgramTests {
  /// Long-lived objects, short-lived objects, and more events than the ring has room for.
  private static let source = """
    import Dispatch
    final class Old { var number = 1 }
    final class Short { var number = 1 }
    nonisolated(unsafe) var kept: [Old] = []
    nonisolated(unsafe) var last = Short()
    @inline(never) func old() { kept.append(Old()) }
    @inline(never) func short(_ number: Int) { last = Short(); last.number = number }
    for _ in 0..<100 { old() }
    let rounds = Int(CommandLine.arguments[1])!
    for number in 0..<rounds {
      short(number)
      if number % (rounds / 10) == 0 { old() }
    }
    print(kept.count, last.number)
    """

  private func program(_ source: String = source) throws -> TestProgram { try TestProgram(source, options: ["-Onone"]) }

  private func size(_ trace: Trace) throws -> Int {
    Int(try FileManager.default.attributesOfItem(atPath: trace.path)[.size] as? UInt64 ?? 0)
  }

  /// Runs a program under the probe, with the trace in `folder`.
  private func record(_ program: TestProgram, _ arguments: [String], options: String, in folder: String) throws
    -> CommandResult
  {
    try CommandResult.run(
      program.path, arguments,
      environment: [
        "LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/trace:session=1:\(options)",
        "SWIFT_BACKTRACE": "enable=no",
      ], folder: folder)
  }

  @Test(
    """
    After twenty times as many events as the ring holds, live objects are the same as without a ring, \
    and the file is no larger than requested
    """,
    arguments: ["", "depth=lives", "zombies=1:quarantine=65536", "time=exact"])
  func manyEvents(_ options: String) throws {
    let rounds = options == "depth=lives" ? "2400000" : "800000"
    let more = options.isEmpty ? "" : ":" + options
    let whole = try RecordedRun(program(), [rounds], options: options)
    try withTemporaryFolder { folder in
      let result = try record(program(), [rounds], options: "keep=2MiB" + more, in: folder)
      #expect(result == whole.plain)
      let trace = try Trace(path: "\(folder)/trace")
      let summary = try LifetimeSummary(trace)
      #expect(trace.problems == [] && summary.problems == [])
      try #expect(size(trace) <= 2 << 20)
      let baseLine = try #require(trace.baseLine)
      #expect(baseLine.events > 19 * summary.events)
      for name in ["Old", "Short"] {
        let ring = try #require(summary.tracker.classes.first { $0.name.hasSuffix(".\(name)") })
        let all = try #require(whole.totals(name))
        #expect(ring.allocated == all.allocated && ring.freed == all.freed && ring.liveAtExit == all.liveAtExit)
        #expect(ring.gaps == 0)
      }
      // The same objects, by number, size, thread and depth of the backtrace.
      func live(_ summary: LifetimeSummary) -> [String] {
        summary.tracker.liveObjects.map {
          "\(summary.tracker.id(of: $0)) \($0.size) \($0.allocationThread) "
            + "\(summary.tracker.backtraces.entries($0.allocation).count)"
        }
      }
      #expect(live(summary) == live(whole.summary))
      let reader = trace.events()
      var event = Event()
      while try reader.next(&event) {
        #expect(event.clock > baseLine.horizon || [.allocate, .base, .free, .deallocate, .thread].contains(event.kind))
      }
    }
  }

  @Test("An object's count is known even after its retains were discarded")
  func counts() throws {
    let source = """
      final class Old { var number = 1 }
      final class Short { var number = 1 }
      nonisolated(unsafe) var last = Short()
      let old = Old()
      let holders = (0..<41).map { _ in Unmanaged.passRetained(old) }
      @inline(never) func short(_ number: Int) { last = Short(); last.number = number }
      for number in 0..<200_000 { short(number) }
      for holder in holders.prefix(40) { holder.release() }
      print(last.number)
      """
    let run = try RecordedRun(program(source), options: "keep=2MiB")
    #expect(run.behavesTheSame)
    let old = try #require(
      run.summary.tracker.liveObjects.first { run.summary.tracker.id(of: $0).className.hasSuffix(".Old") })
    #expect(old.ledger == 2 && old.gaps == 0)
  }

  @Test("An idle thread does not keep old events alive, and its objects stay known")
  func idleThreads() throws {
    let source = """
      import Foundation
      final class Early { var number = 1 }
      final class Short { var number = 1 }
      nonisolated(unsafe) var early: [Early] = []
      nonisolated(unsafe) var last = Short()
      nonisolated(unsafe) let isDone = DispatchSemaphore(value: 0)
      nonisolated(unsafe) let mayEnd = DispatchSemaphore(value: 0)
      for _ in 0..<4 {
        Thread.detachNewThread {
          for _ in 0..<10 { early.append(Early()) }
          isDone.signal()
          mayEnd.wait()
          early.removeLast()
          isDone.signal()
        }
        isDone.wait()
      }
      for number in 0..<400_000 { last = Short(); last.number = number }
      for _ in 0..<4 { mayEnd.signal(); isDone.wait() }
      print(early.count, last.number)
      """
    try withTemporaryFolder { folder in
      let result = try record(program(source), [], options: "keep=4MiB", in: folder)
      #expect(result.output == "36 399999\n" && result.errors == "")
      let trace = try Trace(path: "\(folder)/trace")
      let summary = try LifetimeSummary(trace)
      #expect(trace.problems == [] && summary.problems == [])
      try #expect(size(trace) <= 4 << 20)
      let early = try #require(summary.tracker.classes.first { $0.name.hasSuffix(".Early") })
      #expect(early.allocated == 40 && early.liveAtExit == 36 && early.freed == 4)
      let live = summary.tracker.liveObjects.filter { summary.tracker.id(of: $0).className.hasSuffix(".Early") }
      #expect(Set(live.map(\.allocationThread)).count == 4)
      // The reader skips the old events in the idle threads' chunks.
      let horizon = try #require(trace.baseLine).horizon
      let reader = trace.events()
      var event = Event()
      while try reader.next(&event) { #expect(event.clock > horizon || event.kind != .retain) }
    }
  }

  @Test("An object that another thread frees is freed, whichever thread's chunk is discarded first")
  func manyThreads() throws {
    let source = """
      import Dispatch
      final class Node { var next: Node?; var number = 1 }
      nonisolated(unsafe) var lists: [[Node]] = Array(repeating: [], count: 4)
      for round in 0..<240 {
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          var list: [Node] = []
          for number in 0..<500 { let node = Node(); node.number = number; list.append(node) }
          lists.withUnsafeMutableBufferPointer { $0[index] = list }
        }
        // Another thread frees, perhaps.
        DispatchQueue.concurrentPerform(iterations: 4) { index in
          lists.withUnsafeMutableBufferPointer { $0[(index + round) % 4].removeLast(round == 239 ? 400 : 500) }
        }
      }
      print(lists.map(\\.count))
      """
    for options in ["", ":depth=lives"] {
      let run = try RecordedRun(program(source), options: "keep=4MiB" + options)
      #expect(run.behavesTheSame)
      #expect(run.trace.problems == [] && run.summary.problems == [])
      let node = try #require(run.totals("Node"))
      #expect(node.allocated == 480_000 && node.liveAtExit == 400)
      #expect(run.trace.baseLine != nil)
    }
  }

  @Test("A use long after the free has the object's class, and where it was allocated and freed")
  func useAfterFree() throws {
    let source = """
      final class Job { var number = 1 }
      final class Busy { var number = 1 }
      let busy = Unmanaged.passRetained(Busy())
      @inline(never) func make() -> Unmanaged<Job> { Unmanaged.passRetained(Job()) }
      @inline(never) func end(_ job: Unmanaged<Job>) { job.release() }
      @inline(never) func use(_ job: Unmanaged<Job>) { _ = job.retain() }
      @inline(never) func churn(_ count: Int) { for _ in 0..<count { _ = busy.retain(); busy.release() } }
      let job = make(), other = make()
      end(job)
      end(other)
      churn(1_000_000)
      use(job)
      churn(CommandLine.arguments.count > 1 ? 1_000_000 : 1)
      print("end")
      """
    for arguments in [[], ["more"]] {
      let run = try RecordedRun(program(source), arguments, options: "keep=2MiB:zombies=1:on-use-after-free=continue")
      #expect(run.traced.output == "end\n")
      #expect(run.trace.problems == [] && run.summary.problems == [])
      let access = try #require(run.summary.tracker.accesses.first)
      #expect(
        access.event.kind == .useAfterFree && access.object.className.hasSuffix(".Job") && access.object.number == 1)
      // It is reported whether or not its own event is kept.
      #expect((access.event.clock <= run.trace.baseLine!.horizon) == (arguments == ["more"]))
      var reader = HistoryReader(run.trace)
      let history = try #require(try reader.histories(of: [access.object]).first)
      let allocation = try #require(history.allocation), free = try #require(history.free)
      #expect(
        !reader.backtraces.entries(allocation.backtrace).isEmpty && !reader.backtraces.entries(free.backtrace).isEmpty)
      #expect(allocation.backtrace != free.backtrace)
    }
  }

  @Test("A forked child has a ring of its own")
  func fork() throws {
    let source = """
      import Foundation
      final class Parent { var number = 1 }
      final class Child { var number = 1 }
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      nonisolated(unsafe) var parent = Parent()
      for number in 0..<200_000 { parent = Parent(); parent.number = number }
      let child = fork()
      if child == 0 {
        var mine = Child()
        for number in 0..<200_000 { mine = Child(); mine.number = number }
        _exit(mine.number == 199_999 ? 7 : 8)
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      print((status >> 8) & 0xFF, parent.number)
      """
    let run = try RecordedRun(program(source), options: "keep=2MiB")
    #expect(run.behavesTheSame && run.plain.output == "7 199999\n")
    let child = try #require(run.others.first)
    for (trace, name, count) in [(run.trace, "Parent", 200_001), (child, "Child", 200_001)] {
      let summary = try LifetimeSummary(trace)
      #expect(trace.problems == [] && summary.problems == [] && trace.baseLine != nil)
      let totals = try #require(summary.tracker.classes.first { $0.name.hasSuffix(".\(name)") })
      #expect(totals.allocated == count && totals.liveAtExit == 1)
    }
  }

  @Test("When the file cannot grow, the ring keeps what it has room for and reports that once")
  func fullDisk() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      var limit = rlimit(rlim_cur: 2 << 20, rlim_max: 2 << 20)
      setrlimit(__rlimit_resource_t(1), &limit)
      nonisolated(unsafe) var last = Node()
      for index in 0..<600_000 { let node = Node(); node.value = index; last = node }
      print(last.value)
      """
    let run = try RecordedRun(program(source), options: "keep=64MiB")
    #expect(run.traced.output == "599999\n" && run.traced.status == 0)
    #expect(run.trace.recording.stopSentence == nil)
    let sentence = "The file size limit (ulimit -f) was reached: the trace keeps less than --keep."
    #expect(run.traced.errors == "lifeline: \(sentence)\n" && run.trace.tables.notices == [sentence])
    #expect(run.totals("Node")?.allocated == 600_001 && run.totals("Node")?.liveAtExit == 1)
  }

  @Test("An invalid limit is reported, and everything is recorded")
  func wrongLimit() throws {
    let run = try RecordedRun(program(), ["100"], options: "keep=1MB")
    #expect(run.traced.output == run.plain.output && run.trace.recording.keep == nil)
    #expect(
      run.traced.errors
        == "lifeline: the value '1MB' of keep in LIFELINE_OPTIONS is invalid and was ignored: "
        + "it takes 2MiB to 256GiB, or a time such as 60s\n"
    )
  }

  @Test("With a limit of one second, at least the last second is kept")
  func time() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      nonisolated(unsafe) var last = Node()
      func seconds() -> Int { var now = timespec(); clock_gettime(CLOCK_MONOTONIC, &now); return now.tv_sec }
      let start = seconds()
      var count = 0
      while seconds() < start + 6 { for _ in 0..<100 { last = Node(); count += 1 }; usleep(2000) }
      print(count)
      """
    try withTemporaryFolder { folder in
      let result = try record(program(source), [], options: "keep=1s", in: folder)
      let trace = try Trace(path: "\(folder)/trace")
      let summary = try LifetimeSummary(trace)
      #expect(trace.problems == [] && summary.problems == [] && trace.recording.keep == .time(1_000_000_000))
      let node = try #require(summary.tracker.classes.first { $0.name.hasSuffix(".Node") })
      #expect("\(node.allocated - 1)\n" == result.output && node.liveAtExit == 1)
      let horizon = trace.recording.nanoseconds(at: try #require(trace.baseLine).horizon)
      #expect(horizon + 1_000_000_000 <= trace.recording.duration)
    }
  }

  @Test("The ring of a killed program opens, wherever it was killed", arguments: 0..<20)
  func kill(_ number: Int) throws {
    let source = BuiltPackage.root.appendingPathComponent("Tests/KilledProgram/Killed.swift")
    let program = try TestProgram(String(contentsOf: source, encoding: .utf8), options: ["-O"])
    let threads = number % 2 == 0 ? 1 : 4
    try withTemporaryFolder { folder in
      let process = try TestProcess(
        program.path, ["\(folder)/count", String(threads)],
        environment: [
          "LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/trace:keep=2MiB",
          "SWIFT_BACKTRACE": "enable=no",
        ],
        limit: .seconds(120))
      // Each case kills the program later, at an event that differs from run to run.
      for _ in 0..<200_000 {
        if let first = counters("\(folder)/count").first, first[0] > 400_000 + number * 77_777 { break }
        usleep(500)
      }
      process.send(SIGKILL)
      try #expect(process.wait() == 137)
      let known = counters("\(folder)/count")
      let trace = try Trace(path: "\(folder)/trace")
      let summary = try LifetimeSummary(trace)
      #expect(trace.problems == [] && summary.problems == [])
      for thread in 0..<threads {
        let thing = summary.tracker.classes.first { $0.name.hasSuffix(".Thing\(thread)") }
        let short = summary.tracker.classes.first { $0.name.hasSuffix(".Short\(thread)") }
        #expect(thing?.allocated == 1 && thing?.liveAtExit == 1)
        #expect((known[thread][3]...known[thread][2]).contains(UInt64(short?.allocated ?? 0)))
        #expect((short?.liveAtExit ?? 0) <= 1)
      }
    }
  }

  /// As in KillTests.
  private func counters(_ path: String) -> [[UInt64]] {
    guard let data = FileManager.default.contents(atPath: path), data.count == 4096 else { return [] }
    return data.withUnsafeBytes { bytes in
      (0..<4).map { thread in (0..<4).map { bytes.load(fromByteOffset: 64 * thread + 8 * $0, as: UInt64.self) } }
    }
  }
}
