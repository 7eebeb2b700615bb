import Lifeline
import LifelineTrace
public import Testing

/// Watches the objects that a test allocates.
///
///     @Test(.lifetimes(.noLeaks, .noUseAfterFree))
///     func closesItsWindow() { … }
///
/// Tests may run concurrently: a task-local value assigns allocations to tests, across suspensions and in tasks that
/// the test starts. In detached tasks and on other threads (a queue, `Thread`) the code decides: closures in the test's
/// own function, and what they call, belong to the test.
public struct LifetimeTrait: TestTrait, SuiteTrait, TestScoping {
  let requirement: LifetimeRequirement
  let allowances: [LeakAllowance]
  private let use = AllowanceUse()

  init(requirement: LifetimeRequirement, allowances: [LeakAllowance]) {
    self.requirement = requirement
    self.allowances = allowances
  }

  public var isRecursive: Bool { true }

  public func prepare(for test: Test) async throws {
    if test.isSuite { use.noteSuite() }
  }

  /// Watches each run of a test, and checks once what all of them needed.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite || testCase == nil && allowances.isEmpty ? nil : self
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else {
      try await function()
      for allowance in use.idle(of: allowances) {
        Issue.record(Comment(rawValue: allowance.idleText), sourceLocation: test.sourceLocation)
      }
      return
    }
    guard TestRecorder.problem == nil else {
      Issue.record(
        "The lifetimes of this test could not be observed. \(TestRecorder.problem!)",
        sourceLocation: test.sourceLocation)
      use.add(nil)
      return try await function()
    }
    let scope = TestScope(TestFunction(test))
    TestRecorder.running.begin(scope)
    defer { TestRecorder.running.end(scope) }
    // What a failed test leaves behind is not informative.
    do {
      try await TestScope.$current.withValue(scope) {
        try await scope.run { try await function() }
      }
    } catch {
      use.add(nil)
      throw error
    }
    let end = await scope.finish(requirement, allowances)
    use.add(end.used)
    for text in end.texts { Issue.record(Comment(rawValue: text), sourceLocation: test.sourceLocation) }
  }
}

extension Trait where Self == LifetimeTrait {
  /// Watches the objects that the test allocates; objects that may stay are allowed by name and reason.
  public static func lifetimes(_ requirements: LifetimeRequirement..., allowing allowances: [LeakAllowance] = [])
    -> Self
  {
    LifetimeTrait(requirement: requirements.reduce([]) { $0.union($1) }, allowances: allowances)
  }
}
