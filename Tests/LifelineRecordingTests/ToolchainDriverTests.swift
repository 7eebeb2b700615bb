import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineRecording

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ToolchainDriverTests {
  @Test("swift is a driver wherever its link is, and the toolchain's programs are not recorded")
  func driver() throws {
    let swift = try CommandResult.run("/bin/sh", ["-c", "command -v swift"]).output.trimmingCharacters(in: .newlines)
    let folder = try #require(ToolchainDriver(path: swift)?.folder)
    #expect(FileManager.default.isExecutableFile(atPath: "\(folder)/bin/swift-package"))
    try withTemporaryFolder { place in
      try FileManager.default.createSymbolicLink(atPath: "\(place)/swift", withDestinationPath: swift)
      #expect(ToolchainDriver(path: "\(place)/swift")?.folder == folder)
    }
    #expect(
      ToolchainDriver(path: "\(folder)/bin/swift-format") == nil, "named itself, a program of the toolchain is recorded"
    )
  }

  @Test("A user's program named swift is not a driver")
  func impostor() throws {
    try withTemporaryFolder { place in
      try FileManager.default.createDirectory(atPath: "\(place)/bin", withIntermediateDirectories: true)
      try "".write(toFile: "\(place)/bin/swift", atomically: true, encoding: .utf8)
      #expect(ToolchainDriver(path: "\(place)/bin/swift") == nil)
    }
    #expect(ToolchainDriver(path: "/no/such/bin/swift") == nil)
  }

  @Test("A program built by swift test or swift run is repeated without a build and beside other runs")
  func withoutBuild() {
    func again(_ words: String...) -> ProgramArguments { ProgramArguments(words).withoutBuild(of: words[0]) }
    #expect(
      again("swift", "test", "--filter", "X")
        == ProgramArguments(["swift", "test", "--skip-build", "--ignore-lock", "--filter", "X"]))
    #expect(again("swift", "run", "App") == ProgramArguments(["swift", "run", "--skip-build", "--ignore-lock", "App"]))
    #expect(again("swift", "test", "--skip-build") == ProgramArguments(["swift", "test", "--skip-build"]))
    #expect(again("swift", "build") == ProgramArguments(["swift", "build"]))
    #expect(again("true", "test") == ProgramArguments(["true", "test"]))
    #expect(ProgramArguments(["swift", "test"]).areTests(of: "swift"))
    #expect(!ProgramArguments(["swift", "run"]).areTests(of: "swift"))
  }

  private func process(_ number: Int, parent: Int, _ program: String, start: UInt64, libraries: Set<String> = [])
    -> RecordedProcess
  {
    RecordedProcess(
      trace: "\(number).\(start)", process: number, parent: parent, startTime: start, program: program,
      libraries: libraries)
  }

  private func driver(_ command: String) throws -> ToolchainDriver {
    let swift = try CommandResult.run("/bin/sh", ["-c", "command -v swift"]).output.trimmingCharacters(in: .newlines)
    return try #require(ToolchainDriver(path: swift, command: command))
  }

  @Test("The subjects of swift test are the tests and what they start, not manifests, plugins, macros or build tools")
  func tests() throws {
    let processes = [
      process(20, parent: 10, "/tmp/x/app-manifest", start: 1, libraries: ["libPackageDescription.so"]),
      process(21, parent: 10, "/app/.build/plugins/Lint", start: 2, libraries: ["libPackagePlugin.so"]),
      process(23, parent: 22, "/app/.build/debug/Macros-tool", start: 3),
      process(24, parent: 10, "/app/.build/debug/generate", start: 4),
      process(30, parent: 10, "/app/.build/debug/AppPackageTests.xctest", start: 5),
      process(31, parent: 30, "/app/.build/debug/server", start: 6),
      process(32, parent: 31, "/bin/helper", start: 7),
      process(33, parent: 10, "/app/.build/debug/App-test-runner", start: 8),
    ]
    #expect(try driver("test").subjects(of: processes.reversed(), process: 10).map(\.process) == [30, 31, 32, 33])
  }

  @Test("The subject of swift run is the program that replaces the driver, and what that starts")
  func run() throws {
    let processes = [
      process(20, parent: 10, "/tmp/x/app-manifest", start: 1, libraries: ["libPackageDescription.so"]),
      process(10, parent: 9, "/app/.build/debug/App", start: 2),
      process(30, parent: 10, "/app/.build/debug/Worker", start: 3),
    ]
    #expect(try driver("run").subjects(of: processes, process: 10).map(\.process) == [10, 30])
    #expect(try driver("build").subjects(of: processes, process: 10).map(\.process) == [10, 30])
  }
}
