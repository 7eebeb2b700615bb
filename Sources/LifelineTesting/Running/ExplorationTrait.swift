import CLifelineHarness
import Glibc
import Lifeline
public import Testing

/// Runs a test repeatedly, each time with threads held back at different points, until it fails or uses an object that
/// is gone.
///
///     @Test(.explored(runs: 200))
///     func closesWhileItSends() async { … }
///
/// The first run holds no thread. A failure names the seed of its schedule; LIFELINE_SEED in the environment runs only
/// that schedule. A seed belongs to the build, so the source must not change. Explored tests run one at a time; other
/// tests that run meanwhile are slower too, since their threads pass the same points.
public struct ExplorationTrait: TestTrait, SuiteTrait, TestScoping {
  let runs: Int

  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if ExploredRun.isExploredFromOutside { return try await function() }
    guard TestRecorder.problem == nil else {
      Issue.record(
        "This test could not be explored. \(TestRecorder.problem!)", sourceLocation: test.sourceLocation)
      return try await function()
    }
    try await ExplorationTurn.shared.perform {
      var budget = ExploredRun.leastBudget
      for (index, seed) in seeds.enumerated() {
        let run = ExploredRun(test: test, testCase: testCase, seed: seed, budget: budget)
        if try await run.hasFound(describing: "run \(index + 1) of \(seeds.count)", function) { return }
        if index == 0 { budget = run.longerBudget }
      }
    }
  }

  /// 0 is the run in which no thread is held.
  private var seeds: [UInt64] {
    if let seed = ExploredRun.chosenSeed { return Array(repeating: seed, count: 10) }
    return Array(0..<UInt64(max(1, runs)))
  }
}

extension Trait where Self == ExplorationTrait {
  /// Runs the test this many times, each time under a different schedule.
  public static func explored(runs: Int = 200) -> Self { ExplorationTrait(runs: runs) }
}
