import Foundation
import LifelineTestSupport
import Testing

/// Uses a released Lifeline by version, where SwiftPM rejects products that need unsafe flags.
@Suite(.startsPrograms) struct VersionedPackageTests {
  @Test(
    "A package that depends on version 1 of Lifeline builds it with the probe, and its tests find a leak",
    .timeLimit(.minutes(60)))
  func version() throws {
    try withTemporaryFolder { folder in
      try release("1.0.0", in: "\(folder)/lifeline")
      let user = "\(folder)/Versioned"
      try FileManager.default.copyItem(
        atPath: BuiltPackage.root.appendingPathComponent("Tests/VersionedPackage").path, toPath: user)
      try useCheckouts(user)
      let result = try CommandResult.run(
        "swift",
        [
          "test", "--package-path", user, "--cache-path", "\(folder)/cache", "--security-path", "\(folder)/security",
        ],
        environment: [
          "LIFELINE_URL": "file://\(folder)/lifeline", "LIFELINE_OPTIONS": "output=\(folder)/kept.%p.lifeline",
          "SWIFT_BACKTRACE": "enable=no",
        ], limit: BuiltPackage.nestedLimit)
      let output = result.output + result.errors
      #expect(result.status == 1, "\(output)")
      #expect(output.contains("Test \"keeps nothing\" passed"), "\(output)")
      let leak = /↳ Screen#(\d) was allocated in this test and is still alive\.\n +held by Screen#(\d)\.child\n/
      #expect(output.firstMatch(of: leak).map { $0.1 == $0.2 } == true, "\(output)")
      #expect(output.contains("held by the global keptScreens\n"), "\(output)")
      #expect(output.contains("kept since VersionedTests.swift:31 in VersionedTests.kept()"), "\(output)")
      let kept = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("kept.") }
      #expect(kept.count == 1, "a trace that LIFELINE_OPTIONS asks for stays")
      let check = ["check", "-q", "--once", "--", "\(user)/.build/debug/VersionedPackageTests.xctest"]
      let checked = try CommandResult.run(
        BuiltPackage.lifeline, check + ["--testing-library", "swift-testing"],
        environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(checked.output.contains("error: leak   A retain cycle keeps Screen#"), "\(checked)")
    }
  }

  /// Creates a tagged repository with the package in its current state.
  private func release(_ version: String, in folder: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: BuiltPackage.root.path) where !name.hasPrefix(".") {
      try files.copyItem(atPath: BuiltPackage.root.appendingPathComponent(name).path, toPath: "\(folder)/\(name)")
    }
    for arguments in [
      ["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", version], ["tag", version],
    ] {
      let author = ["-c", "user.name=Lifeline", "-c", "user.email=lifeline@localhost"]
      let result = try CommandResult.run("git", author + arguments, folder: folder)
      try #require(result.status == 0, "git \(arguments): \(result.errors)")
    }
  }

  /// Reuses the dependencies fetched when this package was built, instead of the network.
  private func useCheckouts(_ package: String) throws {
    let names = ["swift-argument-parser", "swift-protobuf", "swift-system"]
    let mirrors = names.map { name in
      """
      {"original": "https://github.com/apple/\(name)", \
      "mirror": "file://\(BuiltPackage.checkouts.appendingPathComponent(name).path)"}
      """
    }
    let folder = "\(package)/.swiftpm/configuration"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "{\"version\": 1, \"object\": [\(mirrors.joined(separator: ","))]}".write(
      toFile: "\(folder)/mirrors.json", atomically: true, encoding: .utf8)
  }
}
