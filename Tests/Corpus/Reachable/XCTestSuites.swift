// XCTest keeps its suites, their test cases and the records of their runs in a cycle until the process ends.
import XCTest

final class Token {}

final class ShelfTests: XCTestCase {
  let token = Token()
  func testOpens() { XCTAssertNotNil(token) }
  func testCloses() { XCTAssertNotNil(token) }
}

final class LampTests: XCTestCase {
  let token = Token()
  func testGlows() { XCTAssertNotNil(token) }
}

XCTMain([
  testCase([("testOpens", ShelfTests.testOpens), ("testCloses", ShelfTests.testCloses)]),
  testCase([("testGlows", LampTests.testGlows)]),
])
