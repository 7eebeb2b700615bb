import Testing

@testable import LifelineTesting

/// Finds a test's function among the names of a backtrace.
@Suite struct TestFunctionTests {
  @Test(
    "A method or free function and everything written inside it belong to the test function",
    arguments: [
      ("DetailTests.closes()", "closes()"),
      ("closes()", "closes()"),
      ("closure #1 in closure #2 in DetailTests.closes()", "closes()"),
      ("helper #1 (_:) in closure #1 in Outer.DetailTests.closes()", "closes()"),
      ("static DetailTests.closes(with:)", "closes(with:)"),
    ])
  func around(function: String, name: String) {
    #expect(
      TestFunction(around: function, file: "/home/me/Tests/DetailTests.swift")
        == TestFunction(name: name, file: "DetailTests.swift"))
  }

  @Test("Code without a file belongs to no function")
  func unknown() { #expect(TestFunction(around: "DetailTests.closes()", file: nil) == nil) }

  @Test("A function with the same name in another file is a different function")
  func files() {
    #expect(
      TestFunction(around: "closes()", file: "a/DetailTests.swift")
        != TestFunction(around: "closes()", file: "a/MasterTests.swift"))
  }
}
