import Foundation
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

/// What recording adds to an event, compared with generous limits to notice a hook that becomes expensive.
///
/// The processor or valgrind counts instructions, whose number does not depend on the machine's load. Scripts/benchmark
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
    "Recording an event takes no more instructions than its limit",
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
      // valgrind cannot read the probe's debug information.
      let probe = "\(folder)/libLifelineProbe.so"
      try #require(CommandResult.run("objcopy", ["--strip-debug", BuiltPackage.probe, probe]).status == 0)
      // valgrind is fifty times slower, and just as exact with a smaller workload.
      let scale = InstructionCounter.available == .processor ? 1 : 40
      // The difference between two amounts of work does not include the start of the process.
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
      #expect(added > 10, "Too few: nothing was recorded, or nothing was counted.")
    }
  }

  /// Instructions without and with the probe, and the number of recorded events.
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
