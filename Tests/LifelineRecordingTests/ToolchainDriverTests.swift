import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineRecording

@Suite(.startsPrograms, .timeLimit(.minutes(10))) struct ToolchainDriverTests {
  @Test("swift is a driver, wherever its link lies: its toolchain's programs are left alone")
  func driver() throws {
    let swift = try CommandResult.run("/bin/sh", ["-c", "command -v swift"]).output.trimmingCharacters(in: .newlines)
    let folder = try #require(ToolchainDriver(path: swift)?.folder)
    #expect(FileManager.default.isExecutableFile(atPath: "\(folder)/bin/swift-package"))
    try withTemporaryFolder { place in
      try FileManager.default.createSymbolicLink(atPath: "\(place)/swift", withDestinationPath: swift)
      #expect(ToolchainDriver(path: "\(place)/swift")?.folder == folder)
    }
    #expect(ToolchainDriver(path: "\(folder)/bin/swift-format") == nil, "named itself, a program of the toolchain is recorded")
  }

  @Test("Somebody's own program called swift is none")
  func impostor() throws {
    try withTemporaryFolder { place in
      try FileManager.default.createDirectory(atPath: "\(place)/bin", withIntermediateDirectories: true)
      try "".write(toFile: "\(place)/bin/swift", atomically: true, encoding: .utf8)
      #expect(ToolchainDriver(path: "\(place)/bin/swift") == nil)
    }
    #expect(ToolchainDriver(path: "/no/such/bin/swift") == nil)
  }
}
