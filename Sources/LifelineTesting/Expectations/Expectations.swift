import Lifeline
import LifelineTrace
public import Testing

/// Expects an object to be gone when the test ends (requires the trait `.lifetimes`); a failure says what keeps it.
public func expectDeallocated(_ object: AnyObject, sourceLocation: SourceLocation = #_sourceLocation) {
  guard let scope = TestScope.current else {
    Issue.record(
      "expectDeallocated needs the trait .lifetimes on its test: without it the end of the test is unknown.",
      sourceLocation: sourceLocation)
    return
  }
  let subject = Subject(object)
  scope.atEnd(
    Check(isSettled: { subject.isGone }) {
      subject.isGone ? [] : [subject.text("was not deallocated when the test ended", in: $0)]
    })
}

/// Expects the object returned by `make` to be gone as soon as its result is dropped.
public func expectDeallocated<Object: AnyObject>(
  sourceLocation: SourceLocation = #_sourceLocation, _ make: () throws -> Object?
) rethrows {
  if let problem = try Checks.deallocated(make) {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}

/// Expects all objects that `body` allocates on this thread to be gone after it.
@discardableResult
public func expectNoLeaks<Result>(
  allowing allowances: [LeakAllowance] = [], sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) rethrows -> Result {
  let (result, problems) = try Checks.leaks(allowances, "expectNoLeaks", body)
  for problem in problems { Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation) }
  return result
}

/// Expects all objects that `body` and its tasks allocate, on any thread, to be gone after it.
@discardableResult
public func expectNoLeaks<Result>(
  allowing allowances: [LeakAllowance] = [], isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
) async rethrows -> Result {
  if let problem = TestRecorder.problem {
    Issue.record("Leaks could not be observed. \(problem)", sourceLocation: sourceLocation)
    return try await body()
  }
  let scope = TestScope()
  let result = try await scope.run(isolation: isolation, body)
  let end = await scope.finish(.noLeaks, allowances, where: "in expectNoLeaks")
  for text in end.texts + end.idleTexts(allowances) {
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
  }
  return result
}

/// The properties that keep an object alive, "Controller#1.child", and the global variables, "the static Cache.shared".
///
/// Local variables, including the caller's, are not listed.
///
/// - Throws: a sentence when nothing can be observed.
public func holders(of object: AnyObject) throws -> [String] { try Checks.holders(of: object) }

/// Expects exactly these holders to keep an object alive, in any order: "Controller#1.child", or without the number.
public func expectHolders(of object: AnyObject, _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation)
{
  if let problem = Checks.holders(of: object, are: expected) {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}

/// Expects an object to die before another, and both before the test ends (requires the trait `.lifetimes`).
public func expectLifetime(
  of object: AnyObject, within other: AnyObject, sourceLocation: SourceLocation = #_sourceLocation
) {
  guard let scope = TestScope.current else {
    Issue.record(
      "expectLifetime needs the trait .lifetimes on its test: without it the end of the test is unknown.",
      sourceLocation: sourceLocation)
    return
  }
  do {
    let inner = try Subject(object).identified(), outer = try Subject(other).identified()
    // Only the trace shows which died first.
    scope.atEnd(
      Check(isSettled: { inner.isGone && outer.isGone }) { snapshot in
        Checks.order(inner, outer, snapshot).map { [$0] } ?? []
      })
  } catch {
    Issue.record("The lifetimes could not be observed. \(String(describing: error))", sourceLocation: sourceLocation)
  }
}

/// Expects that no class gains live objects in every round of `body`, such as a cache that is never emptied or
/// observers that pile up.
///
/// The first round is a warm-up; what grows must rise in nearly all the others. At least four rounds are needed.
public func expectNoGrowth(
  rounds: Int = 10, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) rethrows {
  for problem in try Checks.growth(rounds: rounds, body) {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}

/// The same for an asynchronous body.
public func expectNoGrowth(
  rounds: Int = 10, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async rethrows {
  for problem in try await Checks.growth(rounds: rounds, isolation: isolation, body) {
    Issue.record(Comment(rawValue: problem), sourceLocation: sourceLocation)
  }
}
