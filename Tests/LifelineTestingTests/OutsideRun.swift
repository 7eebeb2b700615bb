import Foundation
import LifelineTestSupport

/// The package outside of this one, built and tested as its author would do it.
struct OutsideRun {
  let result: CommandResult

  /// Builds once; later runs find everything built.
  init(environment: [String: String] = [:], filter: String? = nil, isRelease: Bool = false) throws {
    let package = BuiltPackage.root.appendingPathComponent("Tests/OutsidePackage").path
    var arguments = ["test", "--package-path", package, "--scratch-path", BuiltPackage.nestedScratch]
    if isRelease { arguments += ["-c", "release", "-Xswiftc", "-enable-testing"] }
    if let filter { arguments += ["--filter", filter] }
    result = try CommandResult.run(
      "swift", arguments, environment: ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 },
      limit: BuiltPackage.nestedLimit)
  }

  /// The texts of the issues that Swift Testing recorded for a test, by its name.
  func issues(of test: String) -> [String] {
    var texts: [String] = []
    var isOurs = false
    for line in (result.output + result.errors).split(separator: "\n", omittingEmptySubsequences: false) {
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

  /// The three cases of one test run in any order, so the number of the object that leaks is one of three.
  var argumentNode: String {
    ["#1", "#2", "#3"].first { (result.output + result.errors).contains("ArgumentNode\($0) was allocated") } ?? "#none"
  }

  /// The texts that XCTFail printed for a test case, without file and line.
  func failures(of testCase: String) -> [String] {
    let lines = (result.output + result.errors).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      guard let range = lines[index].firstRange(of: " error: \(testCase) : failed - ") else { return nil }
      let rest = lines[(index + 1)...].prefix { $0.hasPrefix("  ") }
      return ([lines[index][range.upperBound...]] + rest).joined(separator: "\n")
    }
  }
}
