import CInstructionCounter
import Foundation
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

/// What recording adds to an event, held against generous limits, so that a hook that becomes dear is noticed.
///
/// Instructions are counted, which a busy machine does not change; where the machine cannot count them, the clock, with limits
/// that only a gross mistake exceeds. Scripts/benchmark measures the times that the documentation states.
@Suite(.serialized) struct CostTests {
  struct Workload: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let count: Int
    /// Instructions that recording may add to an event: 1.3 times what was measured with a debug build of the workloads,
    /// whose backtraces change at nearly every event.
    let limit: Double

    var testDescription: String { name }
  }

  /// Nanoseconds that recording may add to an event where only the clock can be read.
  private static let clockLimit = 400.0

  @Test(
    "Recording adds no more instructions to an event than it did",
    arguments: [
      Workload(name: "loop, 10 frames", arguments: ["loop", "--frames", "10"], count: 200_000, limit: 1020),
      Workload(name: "loop, 30 frames", arguments: ["loop", "--frames", "30"], count: 200_000, limit: 1150),
      Workload(name: "allocation", arguments: ["allocation"], count: 100_000, limit: 620),
      Workload(name: "mixed", arguments: ["mixed"], count: 5000, limit: 930),
    ])
  func added(_ workload: Workload) throws {
    try withTemporaryFolder { folder in
      // The difference of two amounts of work has no start in it.
      let (few, many) = (try cost(workload, 1, folder), try cost(workload, 3, folder))
      let events = Double(many.events - few.events)
      #expect(events > Double(workload.count))
      if let plain = many.plain.instructions, let traced = many.traced.instructions, let first = few.plain.instructions, let other = few.traced.instructions {
        let added = Double((traced - other) - (plain - first)) / events
        print("CostTests: \(workload.name): \(Int(added.rounded())) instructions added to an event, at most \(Int(workload.limit))")
        #expect(added < workload.limit)
        #expect(added > 10, "Fewer cannot be: nothing was recorded, or nothing was counted.")
      } else {
        let added = ((many.traced.nanoseconds - few.traced.nanoseconds) - (many.plain.nanoseconds - few.plain.nanoseconds)) / events
        print("CostTests: INSTRUCTIONS CANNOT BE COUNTED HERE; \(workload.name): \(added) ns added to an event, at most \(Self.clockLimit)")
        #expect(added < Self.clockLimit)
      }
    }
  }

  private struct Run {
    /// Nil where they cannot be counted.
    var instructions: Int?
    var nanoseconds: Double
  }

  private func cost(_ workload: Workload, _ factor: Int, _ folder: String) throws -> (plain: Run, traced: Run, events: Int) {
    let trace = "\(folder)/trace\(factor)"
    let arguments = workload.arguments + ["--count", String(workload.count * factor)]
    let plain = try run(arguments, environment: [])
    let traced = try run(arguments, environment: ["LD_PRELOAD=\(BuiltPackage.probe)", "LIFELINE_OPTIONS=output=\(trace):force=1"])
    return (plain, traced, Int(try LifetimeSummary(Trace(path: trace)).events))
  }

  private func run(_ arguments: [String], environment: [String]) throws -> Run {
    let program = BuiltPackage.buildFolder.appendingPathComponent("lifeline-workloads").path
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let count = instruction_count(&words, &variables)
    if count >= 0 { return Run(instructions: Int(count), nanoseconds: 0) }
    guard count == -1 else { throw TestProgramError(description: "\(program) \(arguments) failed") }
    // Nothing was run: the counter was refused.
    return Run(instructions: nil, nanoseconds: try clock(program, arguments, environment))
  }

  private func clock(_ program: String, _ arguments: [String], _ environment: [String]) throws -> Double {
    var best = Double.infinity
    for _ in 0..<3 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.environment = Dictionary(uniqueKeysWithValues: environment.map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      })
      process.standardOutput = FileHandle.nullDevice
      let begin = ContinuousClock.now
      try process.run()
      process.waitUntilExit()
      let time = (ContinuousClock.now - begin).components
      best = min(best, Double(time.seconds) * 1e9 + Double(time.attoseconds) / 1e9)
    }
    return best
  }
}
