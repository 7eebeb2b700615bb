import Foundation
public import XCTest

extension XCTestCase {
  /// Asserts that an object is gone when the test ends; a failure says what keeps it.
  ///
  /// The check is a teardown block: it runs after those that the test added later, and before earlier ones and
  /// `tearDown()`. What these clear must be cleared in the test, or in a block that is added after this call.
  public func assertDeallocated(_ object: AnyObject, file: StaticString = #filePath, line: UInt = #line) {
    // Started now, so that everything that retains the object is recorded.
    _ = TestRecorder.problem
    let subject = Subject(object)
    addTeardownBlock {
      if subject.isGone { return }
      do {
        XCTFail(
          try Snapshot.with { subject.text("was not deallocated when the test ended", in: $0) }, file: file, line: line)
      } catch {
        XCTFail(
          "\(subject.typeName) was not deallocated. What keeps it could not be observed. \(error)", file: file,
          line: line)
      }
    }
  }

  /// Asserts that all objects that `body` allocates on this thread are gone after it.
  @discardableResult
  public func assertNoLeaks<Result>(
    allowing allowances: [LeakAllowance] = [], file: StaticString = #filePath, line: UInt = #line,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let (result, problems) = try Checks.leaks(allowances, "assertNoLeaks", body)
    for problem in problems { XCTFail(problem, file: file, line: line) }
    return result
  }

  /// The same for an asynchronous body and its tasks, on any thread.
  @discardableResult
  public func assertNoLeaks<Result>(
    allowing allowances: [LeakAllowance] = [], isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await watch(.noLeaks, allowances, isolation, file, line, body)
  }

  /// Asserts that `body` and its tasks never use an object that is gone.
  @discardableResult
  public func assertNoUseAfterFree<Result>(
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await watch(.noUseAfterFree, [], isolation, file, line, body)
  }

  /// Asserts that an object dies before another, and both before the test ends.
  public func assertLifetime(
    of object: AnyObject, within other: AnyObject, file: StaticString = #filePath, line: UInt = #line
  ) {
    do {
      let inner = try Subject(object).identified(), outer = try Subject(other).identified()
      addTeardownBlock {
        do {
          if let problem = try Snapshot.with({ Checks.order(inner, outer, $0) }) {
            XCTFail(problem, file: file, line: line)
          }
        } catch {
          XCTFail("The lifetimes could not be observed. \(error)", file: file, line: line)
        }
      }
    } catch {
      XCTFail("The lifetimes could not be observed. \(error)", file: file, line: line)
    }
  }

  /// Asserts that exactly these holders keep an object alive, in any order.
  public func assertHolders(
    of object: AnyObject, _ expected: [String], file: StaticString = #filePath, line: UInt = #line
  ) {
    if let problem = Checks.holders(of: object, are: expected) { XCTFail(problem, file: file, line: line) }
  }

  private func watch<Result>(
    _ requirement: LifetimeRequirement, _ allowances: [LeakAllowance], _ isolation: isolated (any Actor)?,
    _ file: StaticString, _ line: UInt,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    if let problem = TestRecorder.problem {
      XCTFail("The lifetimes could not be observed. \(problem)", file: file, line: line)
      return try await body()
    }
    let scope = TestScope()
    let result = try await scope.run(isolation: isolation, body)
    let end = await scope.finish(requirement, allowances, where: "in assertNoLeaks")
    for text in end.texts + end.idleTexts(allowances) { XCTFail(text, file: file, line: line) }
    return result
  }
}
