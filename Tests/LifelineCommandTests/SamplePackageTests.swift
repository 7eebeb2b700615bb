import Foundation
import LifelineTestSupport
import Testing

/// `Tests/SamplePackage`, copied elsewhere and used as its owner would: failing, fixed, accepted in a baseline, failing
/// again.
@Suite(.serialized, .startsPrograms, .timeLimit(.minutes(60))) struct SamplePackageTests {
  private struct Copy {
    let folder: String
    private let scratch = BuiltPackage.nestedScratch
    private let environment = ["LIFELINE_PACKAGE": BuiltPackage.root.path]

    func plugin(_ arguments: String...) throws -> CommandResult {
      try CommandResult.run(
        "swift", ["package", "--scratch-path", scratch, "lifeline", "check", "--format", "github"] + arguments,
        environment: environment,
        folder: folder, limit: BuiltPackage.nestedLimit)
    }

    func swift(_ arguments: [String]) throws -> CommandResult {
      try CommandResult.run(
        "swift", arguments + ["--scratch-path", scratch], environment: environment, folder: folder,
        limit: BuiltPackage.nestedLimit)
    }

    func checkTests(_ options: [String] = ["--format", "github"]) throws -> CommandResult {
      try CommandResult.run(
        BuiltPackage.lifeline, ["check"] + options + ["--", "swift", "test", "--scratch-path", scratch],
        environment: environment,
        folder: folder, limit: BuiltPackage.nestedLimit)
    }

    func edit(_ file: String, _ changes: [(String, String)]) throws {
      var text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      for (from, to) in changes {
        try #require(text.contains(from))
        text = text.replacingOccurrences(of: from, with: to)
      }
      try text.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
    }
  }

  private static let fix = [
    ("unowned(unsafe) var delegate: Screen\n", "weak var delegate: Screen?\n"),
    ("delegate.show(3)", "delegate?.show(3)"),
  ]
  private static let annotation = "::error file=Sources/Reader/Feed.swift,line=11,col=5,title=use-after-free%3A Screen#"
  private static let known =
    "::notice file=Sources/Reader/Feed.swift,line=11,col=5,title=use-after-free (known)%3A Screen#1::"
  /// Tests that allocate in closures only, which other threads and tasks run.
  private static let tasks = """
    import Dispatch
    import Testing
    import XCTest

    final class Page { var number = 1 }
    @inline(never) func makePages(_ count: Int) { for _ in 0..<count { print(Page().number) } }

    struct TaskTests {
      @Test(arguments: 0..<2) func loads(_ number: Int) async { await Task.detached { makePages(7) }.value }
    }

    final class QueueTests: XCTestCase {
      func testQueue() {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
          makePages(5)
          done.signal()
        }
        done.wait()
      }
    }
    """
  private static let second = """
    final class Cache { var entries = 7 }
    @inline(never) func lostCache() -> Unmanaged<Cache> { Unmanaged.passUnretained(Cache()) }
    func useCache() {
      print(lostCache().takeUnretainedValue().entries)
    }

    """

  @Test(
    "In another package, the plugin fails at the bug's line and passes once it is fixed or in the baseline")
  func lifetime() throws {
    try withTemporaryFolder { parent in
      let copy = Copy(folder: "\(parent)/Sample")
      try FileManager.default.copyItem(
        atPath: BuiltPackage.root.appendingPathComponent("Tests/SamplePackage").path, toPath: copy.folder)

      let red = try copy.plugin("--product", "ReaderApp", "--", "--close")
      #expect(red.status == 1 && red.output.contains(Self.annotation), "\(red.output)\(red.errors.suffix(3000))")
      let tests = try copy.plugin()
      #expect(tests.status == 1 && tests.output.contains(Self.annotation), "its tests pass there too")

      let created = try copy.plugin(
        "--baseline", "known", "--update-baseline", "--product", "ReaderApp", "--", "--close")
      #expect(created.status == 0, "\(created.output)\(created.errors)")
      let known = try copy.plugin("--baseline", "known", "--product", "ReaderApp", "--", "--close")
      #expect(known.status == 0 && known.output.contains(Self.known), "\(known.output)")

      try Self.second.write(toFile: "\(copy.folder)/Sources/ReaderApp/Cache.swift", atomically: true, encoding: .utf8)
      try copy.edit("Sources/ReaderApp/main.swift", [("print(", "useCache()\nprint(")])
      let new = try copy.plugin("--baseline", "known", "--product", "ReaderApp", "--", "--close")
      #expect(new.status == 1 && new.output.contains(Self.known), "\(new.output)")
      #expect(new.output.contains("::error file=Sources/ReaderApp/Cache.swift,line=4,"), "\(new.output)")

      try FileManager.default.removeItem(atPath: "\(copy.folder)/Sources/ReaderApp/Cache.swift")
      try copy.edit("Sources/ReaderApp/main.swift", [("useCache()\n", "")])
      try copy.edit("Sources/Reader/Feed.swift", Self.fix)
      let fixed = try copy.plugin("--baseline", "known", "--product", "ReaderApp", "--", "--close")
      #expect(
        fixed.status == 0 && fixed.output.hasSuffix("::notice title=Lifeline::The check is green.\n"), "\(fixed.output)"
      )
    }
  }

  @Test("Under swift test, the test process is recorded and the toolchain's processes are not")
  func swiftTest() throws {
    try withTemporaryFolder { parent in
      let copy = Copy(folder: "\(parent)/Sample")
      try FileManager.default.copyItem(
        atPath: BuiltPackage.root.appendingPathComponent("Tests/SamplePackage").path, toPath: copy.folder)
      try Self.tasks.write(
        toFile: "\(copy.folder)/Tests/ReaderTests/TaskTests.swift", atomically: true, encoding: .utf8)
      try #expect(copy.swift(["build", "--build-tests"]).status == 0)
      let red = try copy.checkTests()
      #expect(red.status == 1 && red.output.contains(Self.annotation), "\(red.output)\(red.errors.suffix(3000))")
      try copy.edit("Sources/Reader/Feed.swift", Self.fix)
      let green = try copy.checkTests()
      #expect(
        green.status == 0 && green.output.hasSuffix("::notice title=Lifeline::The check is green.\n"),
        "\(green.output)\(green.errors)")
      let table = try copy.checkTests(["--once", "--per-test"]).output
      // With what holds the closures.
      #expect(table.contains(#/\n +TaskTests\.loads\(_:\) +1[4-9] /#), "\(table)")
      #expect(table.contains(#/\n +QueueTests\.testQueue\(\) +[5-7] /#), "\(table)")
    }
  }
}
