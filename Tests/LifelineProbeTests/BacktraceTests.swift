import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct BacktraceTests {
  /// The allocation backtraces of a class's live objects.
  private func sites(_ run: RecordedRun, _ name: String) -> [[BacktraceEntry]] {
    run.summary.tracker.liveObjects.filter { run.summary.tracker.id(of: $0).shortClassName == name }
      .map { run.summary.tracker.backtraces.entries($0.allocation) }
  }

  private func image(_ site: BacktraceEntry, _ run: RecordedRun) -> String {
    run.trace.tables.image(at: site.address)?.name ?? "?"
  }

  @Test(
    "A backtrace passes through code without frame pointers: -O, glibc's qsort, signal handlers",
    arguments: ["-Onone", "-O"])
  func foreignFrames(_ level: String) throws {
    let source = """
      import Glibc
      final class FromQsort { var value = 1 }
      final class FromSignal { var value = 1 }
      nonisolated(unsafe) var kept: [AnyObject] = []
      var numbers: [Int32] = [3, 1, 2]
      qsort(&numbers, 3, 4) { a, b in
        if kept.isEmpty { kept.append(FromQsort()) }
        return a!.load(as: Int32.self) < b!.load(as: Int32.self) ? -1 : 1
      }
      signal(SIGUSR1) { _ in kept.append(FromSignal()) }
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      raise(SIGUSR1)
      print(kept.count)
      """
    let run = try RecordedRun(try TestProgram(source, options: [level]))
    #expect(run.behavesTheSame)
    for name in ["FromQsort", "FromSignal"] {
      let backtrace = try #require(sites(run, name).first)
      #expect(backtrace.allSatisfy { $0.isFrame }, "\(name) is complete")
      #expect(backtrace.contains { image($0, run).hasPrefix("libc.so") })
      #expect(image(try #require(backtrace.last), run) == "program", "the outermost frame is _start")
    }
    #expect(run.trace.recording.counters.filter { $0.name == "incompleteBacktraces" } == [])
  }

  @Test("A backtrace deeper than the limit keeps the innermost frames and is marked as truncated")
  func truncation() throws {
    let source = """
      final class Leaf { var value = 1 }
      nonisolated(unsafe) var kept: [Leaf] = []
      @inline(never) func descend(_ depth: Int) -> Int {
        if depth == 0 || depth == 40 { kept.append(Leaf()) }
        return depth == 0 ? 1 : descend(depth - 1) + 1
      }
      print(descend(60000), descend(40))
      """
    let run = try RecordedRun(try TestProgram(source), options: "frames=32")
    #expect(run.behavesTheSame)
    let backtraces = sites(run, "Leaf")
    #expect(backtraces.count == 4)
    for backtrace in backtraces.prefix(2) {
      #expect(backtrace.count == 33 && backtrace.last?.isTruncation == true)
    }
  }

  @Test(
    "Where a program goes back and forth between parts of its stack, each backtrace is its own",
    arguments: ["-Onone", "-O"], ["", "depth=lives", "depth=lives:frames=8"])
  func branches(_ level: String, _ options: String) throws {
    let source = """
      final class Leaf { var value = 1 }
      final class Passing { var value = 1 }
      nonisolated(unsafe) var kept: [Leaf] = []
      @inline(never) func innermost(_ depth: Int) -> Int {
        if depth == 0 { kept.append(Leaf()) }
        return depth == 0 ? 1 : innermost(depth - 1) + 1
      }
      @inline(never) func first(_ depth: Int) -> Int { (depth == 0 ? innermost(3) : first(depth - 1)) + 2 }
      @inline(never) func second(_ depth: Int) -> Int { (depth == 0 ? innermost(3) : second(depth - 1)) + 3 }
      @inline(never) func third(_ depth: Int) -> Int { (depth == 0 ? innermost(3) : third(depth - 1)) + 4 }
      var sum = 0
      for round in 0..<900 {
        let passing = Passing()
        sum += passing.value
        if round % 3 == 0 { sum += first(12) } else if round % 3 == 1 { sum += second(12) } else { sum += third(9) }
      }
      print(sum)
      """
    let run = try RecordedRun(try TestProgram(source, options: [level]), options: options)
    #expect(run.behavesTheSame)
    let tracker = run.summary.tracker
    var ways: [Set<[BacktraceEntry]>] = [[], [], []]
    for object in tracker.liveObjects where tracker.id(of: object).shortClassName == "Leaf" {
      ways[(tracker.id(of: object).number - 1) % 3].insert(Array(tracker.backtraces.entries(object.allocation)))
    }
    #expect(ways.map(\.count) == [1, 1, 1])
    #expect(Set(ways.joined()).count == 3)
    let names = try ways.map { way in try #require(way.first).map(\.word) }
    // Inside of `innermost` all are equal; outside of it the first two are equally deep.
    #expect(Set(names.map { $0.prefix(4) }).count == 1)
    if !options.hasSuffix("frames=8") {
      #expect(names[0].count == names[1].count && names[0].count == names[2].count + 3)
      #expect(zip(names[0], names[1]).count { $0 != $1 } >= 13)
    }
  }

  @Test("A list of 40,000 objects is freed recursively without a stack overflow")
  func recursiveDeinit() throws {
    let source = """
      final class Link { var next: Link? }
      var head: Link? = nil
      for _ in 0..<40_000 { let link = Link(); link.next = head; head = link }
      head = nil
      print("freed")
      """
    let run = try RecordedRun(try TestProgram(source, options: ["-O"]))
    #expect(run.behavesTheSame && run.plain.output == "freed\n")
    let link = try #require(run.totals("Link"))
    #expect([link.allocated, link.freed] == [40_000, 40_000])
  }

  @Test("Signal handlers that use objects while the recorder runs do not corrupt the trace")
  func signalStorm() throws {
    let source = """
      import Glibc
      final class Node { var value = 1 }
      nonisolated(unsafe) var last = Node()
      nonisolated(unsafe) let other = Node()
      nonisolated(unsafe) var hits = 0
      @inline(never) func touch(_ node: Node) -> Int { let copy = node; return copy.value }
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      signal(SIGALRM) { _ in hits += touch(other) }
      var timer = itimerval(it_interval: timeval(tv_sec: 0, tv_usec: 100), it_value: timeval(tv_sec: 0, tv_usec: 100))
      setitimer(0, &timer, nil)
      var total = 0
      for _ in 0..<400_000 { let node = Node(); last = node; total += last.value }
      print(total)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.traced.output == run.plain.output && run.traced.status == 0)
    #expect(run.totals("Node")?.allocated == 400_002)
    #expect(run.summary.problems == [])
  }
}
