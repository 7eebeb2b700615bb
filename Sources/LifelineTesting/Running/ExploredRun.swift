import CLifelineHarness
import Glibc
import Lifeline
import Synchronization
import Testing

/// One run of a test under a schedule.
final class ExploredRun: Sendable {
  private let test: Test
  private let testCase: Test.Case?
  private let seed: UInt64
  private let budget: UInt64
  private let hasIssue = Atomic(false)
  private let nanoseconds = Atomic<UInt64>(0)

  /// Limits, in microseconds, for the total time of all holds in a run: at least this, and at most about the time of
  /// the run itself.
  static let leastBudget: UInt64 = 20_000
  private static let mostBudget: UInt64 = 2_000_000

  var longerBudget: UInt64 {
    min(max(Self.leastBudget, nanoseconds.load(ordering: .relaxed) / 1000), Self.mostBudget)
  }

  init(test: Test, testCase: Test.Case?, seed: UInt64, budget: UInt64) {
    self.test = test
    self.testCase = testCase
    self.seed = seed
    self.budget = budget
  }

  /// Whether the process runs under `lifeline explore`, which already holds its threads.
  static let isExploredFromOutside =
    getenv("LIFELINE_OPTIONS").map { options in
      String(cString: options).split(separator: ":").contains { $0.hasPrefix("explore=") || $0.hasPrefix("holds=") }
    } ?? false

  /// The only seed to try, from the environment.
  static let chosenSeed = getenv(seedVariable).flatMap { UInt64(String(cString: $0)) }
  private static let seedVariable = "LIFELINE_SEED"

  /// Runs the test; returns whether it failed or used a freed object. If so, that is reported with the seed.
  func hasFound(describing place: String, _ function: @Sendable () async throws -> Void) async throws -> Bool {
    let scope = TestScope(TestFunction(test))
    TestRecorder.running.begin(scope)
    defer { TestRecorder.running.end(scope) }
    do {
      try await noticingIssues {
        try await TestScope.$current.withValue(scope) { try await scope.run { try await self.held(function) } }
      }
    } catch {
      report("failed", place)
      throw error
    }
    let uses = await scope.finish(.noUseAfterFree, []).texts
    for use in uses { Issue.record(Comment(rawValue: use), sourceLocation: test.sourceLocation) }
    if !uses.isEmpty { report("used a freed object", place) } else if hasFailed { report("failed", place) }
    return !uses.isEmpty || hasFailed
  }

  private var hasFailed: Bool { hasIssue.load(ordering: .acquiring) }

  private func held(_ function: @Sendable () async throws -> Void) async throws {
    if seed != 0 {
      if let problem = lifeline_harness_recorder().pointee.explore(seed, budget) {
        throw TimelineError("This test could not be explored. \(String(cString: problem))")
      }
      // After a crash nothing can print the seed, so it is printed before.
      lifeline_harness_announce("This happened in \(test.name) under seed \(seed). \(again)")
    }
    let clock = ContinuousClock(), begin = clock.now
    defer {
      nanoseconds.store(UInt64((clock.now - begin) / .nanoseconds(1)), ordering: .relaxed)
      if seed != 0 {
        _ = lifeline_harness_recorder().pointee.explore(0, 0)
        lifeline_harness_announce(nil)
      }
    }
    try await function()
  }

  private func noticingIssues(_ body: @Sendable () async throws -> Void) async throws {
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      self.hasIssue.store(true, ordering: .releasing)
      return issue
    }
    try await watch.provideScope(for: test, testCase: testCase, performing: body)
  }

  private var again: String { "\(Self.seedVariable)=\(seed) in the environment runs only that schedule." }

  private func report(_ what: String, _ place: String) {
    let text =
      seed == 0
      ? "This test \(what) without holds." : "This test \(what) in \(place), under seed \(seed). \(again)"
    Issue.record(Comment(rawValue: text), sourceLocation: test.sourceLocation)
  }
}
