import Foundation
public import XCTest

extension XCTestCase {
  /// Asserts that an object is gone when the test ends, after its teardown blocks; the failure says who keeps it.
  public func assertDeallocated(_ object: AnyObject, file: StaticString = #filePath, line: UInt = #line) {
    // Started now: later nobody would have seen who takes the object.
    _ = TestRecorder.problem
    let subject = Subject(object)
    addTeardownBlock {
      if subject.isGone { return }
      do {
        XCTFail(try Snapshot.with { subject.text("was not deallocated when the test ended", in: $0) }, file: file, line: line)
      } catch {
        XCTFail("\(subject.typeName) was not deallocated. Who keeps it could not be observed. \(error)", file: file, line: line)
      }
    }
  }

  /// Asserts that everything that `body` allocates on this thread is gone after it.
  @discardableResult
  public func assertNoLeaks<Result>(
    allowing allowances: [LeakAllowance] = [], file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Result
  ) rethrows -> Result {
    let (result, problems) = try Checks.leaks(allowances, body)
    for problem in problems { XCTFail(problem, file: file, line: line) }
    return result
  }

  /// Asserts that exactly these keep an object alive, in any order.
  public func assertHolders(of object: AnyObject, _ expected: [String], file: StaticString = #filePath, line: UInt = #line) {
    if let problem = Checks.holders(of: object, are: expected) { XCTFail(problem, file: file, line: line) }
  }
}
