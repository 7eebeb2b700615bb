import Foundation
import LifelineExpectations
import LifelineReporting
import LifelineScenarios

/// Runs variants, several in parallel, each recorded and diagnosed by its own `lifeline check`.
struct ScenarioRunner {
  private let executable: String
  private let jobs: Int
  private let limit: Int

  /// `limit` is the time limit of one run in seconds.
  init(executable: String, jobs: Int, limit: Int) {
    self.executable = executable
    self.limit = limit
    self.jobs = jobs
  }

  private struct Play {
    let scenario: Scenario
    let variant: Variant
    let name: String
  }

  /// The results in the order of the scenarios.
  ///
  /// - Throws: `TraceError` if nothing can be started.
  func results(of scenarios: [Scenario]) throws -> [ScenarioResult] {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    let plays = scenarios.flatMap { scenario in scenario.variants.map { (scenario, $0) } }.enumerated()
      .map { Play(scenario: $1.0, variant: $1.1, name: String($0)) }
    var results = [ScenarioResult?](repeating: nil, count: plays.count)
    var running: [(index: Int, process: ScenarioProcess)] = []
    var next = 0
    let progress = Progress()
    defer { progress.end() }
    while next < plays.count || !running.isEmpty {
      while next < plays.count, running.count < jobs {
        running.append((next, try start(plays[next], in: folder)))
        next += 1
      }
      var isIdle = true
      for slot in running.indices.reversed() where running[slot].process.hasEnded() {
        let (index, process) = running.remove(at: slot)
        results[index] = result(plays[index], process, in: folder)
        isIdle = false
        progress.report("\(results.count { $0 != nil }) of \(plays.count) variants")
      }
      if isIdle { usleep(2000) }
    }
    return results.compactMap { $0 }
  }

  private func start(_ play: Play, in folder: ScratchFolder) throws -> ScenarioProcess {
    try ScenarioProcess(
      [
        "/proc/self/exe", "check", "--depth", "full", "--on-use-after-free", "continue", "--format", "json", "--report",
        "\(folder.path)/\(play.name).json",
        "--output", "\(folder.path)/\(play.name).lifeline", "--", executable, ScenarioMain.playArgument,
        play.scenario.name,
        play.variant.name,
      ], folder: folder, name: play.name, limit: Double(limit))
  }

  private func result(_ play: Play, _ process: ScenarioProcess, in folder: ScratchFolder) -> ScenarioResult {
    func result(_ report: Report?, _ failures: [String]) -> ScenarioResult {
      ScenarioResult(
        scenario: play.scenario.name, variant: play.variant, report: report, output: process.output, failures: failures)
    }
    if process.wasStopped { return result(nil, ["It was stopped after \(limit) s, the limit."]) }
    let said = process.errors.split(separator: "\n").map(String.init)
    guard let data = FileManager.default.contents(atPath: "\(folder.path)/\(play.name).json") else {
      return result(nil, ["Nothing was recorded (status \(process.status))."] + said)
    }
    do {
      let report = try JSONDecoder().decode(Report.self, from: data)
      let failures = ExpectationInspector(play.variant, marks: SourceMarks(paths: play.scenario.sources)).failures(
        report)
      return result(report, failures.isEmpty ? [] : failures + said)
    } catch {
      return result(nil, ["The report could not be read: \(error)"] + said)
    }
  }
}
