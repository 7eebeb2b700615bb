import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite("Overhead budget", .startsPrograms, .timeLimit(.minutes(60))) struct BudgetTests {
  /// Mostly retains and releases, of many objects.
  private static let source = """
    import Glibc
    final class Node { var number = 1 }
    nonisolated(unsafe) var nodes = (0..<4000).map { _ in Node() }
    nonisolated(unsafe) var kept: Node? = nil
    func seconds() -> Double {
      var now = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
      return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
    }
    var round = 0
    while seconds() < 2 {
      for index in 0..<4000 {
        kept = nodes[index]
        if (index + round) % 16 == 0 { nodes[index] = Node() }
      }
      round += 1
    }
    print(nodes.count)
    """

  @Test(
    "A recorder that exceeds its budget records fewer objects, each from its first to its last event",
    arguments: ["max-overhead=10%", "max-overhead=10%:keep=2MiB", "max-overhead=1%:depth=lives"])
  func fewer(_ options: String) throws {
    let run = try RecordedRun(TestProgram(Self.source, options: ["-Onone"]), options: options)
    #expect(run.behavesTheSame)
    #expect(run.trace.problems == [] && run.summary.problems == [])
    let changes = run.trace.tables.sampleChanges
    #expect(!changes.isEmpty && changes.last?.denominator == run.trace.recording.sample)
    #expect(changes.map(\.clock) == changes.map(\.clock).sorted())
    let nodes = try #require(run.totals("Node"))
    #expect(nodes.allocated == nodes.freed + nodes.liveAtExit && nodes.gaps == 0)
    // No object that was left out counts as live.
    let share = 4000 / run.trace.recording.sample
    #expect(nodes.liveAtExit <= 4 * share + 40)
    #expect(run.summary.tracker.unattributed == 0)
  }

  @Test("A recorder within its budget records every object")
  func all() throws {
    let source = """
      final class Node { var number = 1 }
      var total = 0
      for number in 0..<300_000_000 { total = (total &* 31) &+ number }
      let node = Node()
      print(total, node.number)
      """
    let run = try RecordedRun(TestProgram(source, options: ["-O"]), options: "max-overhead=5%")
    #expect(run.behavesTheSame && run.trace.tables.sampleChanges == [] && run.trace.recording.sample == 1)
    #expect(run.totals("Node")?.liveAtExit == 1)
  }

  @Test("An invalid percentage is reported and ignored")
  func wrong() throws {
    let run = try RecordedRun(
      TestProgram("final class Node {}\nlet node = Node()\nprint(1)"), options: "max-overhead=5")
    #expect(
      run.traced.errors
        == "lifeline: the value '5' of max-overhead in LIFELINE_OPTIONS is not a percentage from 0.1% to "
        + "100% and was ignored\n"
    )
  }
}
