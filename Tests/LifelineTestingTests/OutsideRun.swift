import Foundation
import LifelineTestSupport

/// A run of the tests in `Tests/OutsidePackage`, most of which fail on purpose.
///
/// They are part of the tests' own build if `Scripts/test` made it; otherwise, and with `LIFELINE_ONLY_PACKAGES`, they
/// are built in their own package, as its author would do.
struct OutsideRun {
  let result: CommandResult
  /// All output: Swift Testing prints to standard error, and `swift test` merges both.
  var text: String { result.output + result.errors }

  private static let package =
    ["--package-path", BuiltPackage.root.appendingPathComponent("Tests/OutsidePackage").path]
    + ["--scratch-path", BuiltPackage.nestedScratch]

  #if WITH_OUTSIDE_TESTS
  private static let isBuilt = ProcessInfo.processInfo.environment["LIFELINE_ONLY_PACKAGES"] == nil
  #else
  private static let isBuilt = false
  #endif

  /// The test executable, started directly because SwiftPM takes seconds to see that nothing changed.
  private static let executable = Result {
    if isBuilt { return BuiltPackage.buildFolder.appendingPathComponent("LifelinePackageTests.xctest").path }
    let build = try CommandResult.run(
      "swift", ["build", "--build-tests"] + package, environment: ["SWIFT_BACKTRACE": "enable=no"],
      limit: BuiltPackage.nestedLimit)
    guard build.status == 0 else { throw TestProcessError("\(build)") }
    return "\(BuiltPackage.nestedScratch)/debug/OutsidePackageTests.xctest"
  }

  /// All tests, or the Swift Testing tests whose names contain a pattern.
  ///
  /// With `LIFELINE_OPTIONS` the recorder starts with the process, because the package links the probe and our own
  /// tests do not.
  init(tests pattern: String = "", environment: [String: String] = [:]) throws {
    var environment = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
    if Self.isBuilt, environment["LIFELINE_OPTIONS"] != nil {
      environment["LD_PRELOAD"] = BuiltPackage.preloadableProbe
    }
    result = try CommandResult.run(
      Self.executable.get(), ["--testing-library", "swift-testing", "--filter", "^OutsideTests\\..*(\(pattern))"],
      environment: environment)
  }

  /// The answer of `lifeline leaks` about a run of such tests.
  init(leaksOfTests pattern: String) throws {
    let executable = try Self.executable.get()
    result = try CommandResult.run(
      BuiltPackage.lifeline,
      ["leaks", "--", executable, "--testing-library", "swift-testing", "--filter", "^OutsideTests\\..*(\(pattern))"],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  /// The tests of an XCTest case.
  init(testCase name: String) throws {
    result = try CommandResult.run(
      Self.executable.get(), ["OutsideTests.\(name)"], environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  /// `swift test` in the package, in a release build.
  init(releasedTests pattern: String) throws {
    result = try CommandResult.run(
      "swift",
      ["test"] + Self.package + ["-c", "release", "-Xswiftc", "-enable-testing", "--filter", pattern],
      environment: ["SWIFT_BACKTRACE": "enable=no"], limit: BuiltPackage.nestedLimit)
  }

  /// The texts of the issues that Swift Testing recorded for a test, by name.
  func issues(of test: String) -> [String] {
    var texts: [String] = []
    var isOurs = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains("Test \"\(test)\" recorded an issue") || line.contains("Test \(test) recorded an issue") {
        isOurs = true
      } else if isOurs, line.hasPrefix("↳ ") {
        texts.append(String(line.dropFirst(2)))
      } else if isOurs, line.hasPrefix("    ") {
        texts[texts.count - 1] += "\n" + line.dropFirst(2)
      } else {
        isOurs = false
      }
    }
    return texts
  }

  /// The three cases of one test run in any order, so the number of the leaking object is one of three.
  var argumentNode: String {
    ["#1", "#2", "#3"].first { text.contains("ArgumentNode\($0) was allocated") } ?? "#none"
  }

  /// The texts that XCTFail printed for a test case, without file and line.
  func failures(of testCase: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      guard let range = lines[index].firstRange(of: " error: \(testCase) : failed - ") else { return nil }
      let rest = lines[(index + 1)...].prefix { $0.hasPrefix("  ") }
      return ([lines[index][range.upperBound...]] + rest).joined(separator: "\n")
    }
  }
}
