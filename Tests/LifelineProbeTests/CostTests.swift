import Foundation
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

/// What recording adds to an event, held against generous limits, so that a hook that becomes dear is noticed.
///
/// Instructions are counted, by the processor or by valgrind, which a busy machine does not change. Scripts/benchmark
/// measures the times that the documentation states.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct CostTests {
  struct Workload: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let count: Int
    /// Instructions that recording may add to an event: 1.3 times what was measured with a debug build of the
    /// workloads, whose backtraces change at nearly every event.
    let limit: Double
    var options = ""

    var testDescription: String { name }
  }

  @Test(
    "Recording adds no more instructions to an event than it did",
    .enabled(
      if: InstructionCounter.available == .processor || TestTool.valgrind.isExpected,
      "needs valgrind, which Scripts/setup installs"),
    arguments: [
      Workload(name: "loop, 10 frames", arguments: ["loop", "--frames", "10"], count: 200_000, limit: 1020),
      Workload(name: "allocation", arguments: ["allocation"], count: 100_000, limit: 440),
      Workload(
        name: "allocation at depth lives", arguments: ["allocation"], count: 100_000, limit: 460,
        options: ":depth=lives"),
      Workload(name: "mixed", arguments: ["mixed", "--keys", "4000"], count: 20_000, limit: 940),
    ])
  func added(_ workload: Workload) throws {
    try withTemporaryFolder { folder in
      // valgrind's reader of debug information gives up at the probe's.
      let probe = "\(folder)/libLifelineProbe.so"
      try #require(CommandResult.run("objcopy", ["--strip-debug", BuiltPackage.probe, probe]).status == 0)
      // valgrind is fifty times slower, and counts as exactly with less to count.
      let scale = InstructionCounter.available == .processor ? 1 : 40
      // The difference of two amounts of work has no start in it.
      let few = try cost(workload, count: workload.count / scale, probe, "\(folder)/few")
      let many = try cost(workload, count: workload.count / scale * 3, probe, "\(folder)/many")
      let events = many.events - few.events
      #expect(events > workload.count / scale)
      let added = Double((many.traced - few.traced) - (many.plain - few.plain)) / Double(events)
      print(
        "CostTests: \(workload.name): \(Int(added.rounded())) instructions added to an event, "
          + "at most \(Int(workload.limit))"
      )
      #expect(added < workload.limit)
      #expect(added > 10, "Fewer cannot be: nothing was recorded, or nothing was counted.")
    }
  }

  /// Instructions without and with the probe, and the events that were recorded.
  private func cost(_ workload: Workload, count: Int, _ probe: String, _ trace: String) throws -> (
    plain: Int, traced: Int, events: Int
  ) {
    let program = BuiltPackage.buildFolder.appendingPathComponent("lifeline-workloads").path
    let command = [program] + workload.arguments + ["--count", String(count)]
    let plain = try InstructionCounter.count(command)
    let traced = try InstructionCounter.count(
      command, environment: ["LD_PRELOAD": probe, "LIFELINE_OPTIONS": "output=\(trace):force=1\(workload.options)"])
    return (plain, traced, Int(try LifetimeSummary(Trace(path: trace)).events))
  }
}
