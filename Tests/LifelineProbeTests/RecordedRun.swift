import Foundation
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace

/// A program run twice: without the probe, and with it.
struct RecordedRun {
  let plain: CommandResult
  let traced: CommandResult
  let trace: Trace
  let summary: LifetimeSummary
  /// Traces of the processes it started.
  let others: [Trace]

  /// Runs a program in a folder of its own; `options` are LIFELINE_OPTIONS.
  init(_ program: TestProgram, _ arguments: [String] = [], options: String = "") throws {
    let environment = ["SWIFT_BACKTRACE": "enable=no"]
    plain = try withTemporaryFolder {
      try CommandResult.run(program.path, arguments, environment: environment, folder: $0)
    }
    (traced, trace, summary, others) = try withTemporaryFolder { folder in
      var environment = environment
      environment["LD_PRELOAD"] = BuiltPackage.preloadableProbe
      environment["LIFELINE_OPTIONS"] =
        "output=\(folder)/%e.%p.lifeline:session=1" + (options.isEmpty ? "" : ":\(options)")
      let traced = try CommandResult.run(program.path, arguments, environment: environment, folder: folder)
      let traces = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.hasSuffix(".lifeline") || $0.contains(".lifeline.")
      }
      .map { try Trace(path: "\(folder)/\($0)") }.sorted { $0.recording.startTime < $1.recording.startTime }
      guard let first = traces.first else {
        throw TestProgramError(description: "no trace was written:\n\(traced.errors)")
      }
      return (traced, first, try LifetimeSummary(first), Array(traces.dropFirst()))
    }
  }

  /// The totals of a class by its short name.
  func totals(_ name: String) -> ClassTotals? { summary.tracker.classes.first { $0.name.hasSuffix(".\(name)") } }

  /// Whether the program behaved as without the probe.
  var behavesTheSame: Bool { plain == traced }
}
