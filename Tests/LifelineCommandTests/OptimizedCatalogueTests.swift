import Foundation
import LifelineTestSupport
import Testing

/// The scenario catalog in an optimized build, compiled here because nothing else of the package's release build is
/// needed.
@Suite(.startsPrograms) struct OptimizedCatalogueTests {
  private struct Document: Decodable {
    struct Play: Decodable {
      let scenario: String
      let variant: String
      let failures: [String]
    }
    let plays: [Play]
  }

  private func sources(_ folder: String) throws -> [String] {
    let root = BuiltPackage.root.appendingPathComponent(folder).path
    return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }.sorted().map {
      "\(root)/\($0)"
    }
  }

  /// Compiles like `swift build -c release`.
  private func compile(_ arguments: [String], in folder: String) throws {
    // The compiler writes a module next to the program, whatever its working folder.
    let result = try CommandResult.run(
      "swiftc", ["-O", "-g", "-wmo", "-enable-default-cmo", "-swift-version", "6"] + arguments, folder: folder)
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test("The optimized catalog meets its expectations", .timeLimit(.minutes(60)))
  func optimized() throws {
    try withTemporaryFolder { folder in
      try compile(
        [
          "-parse-as-library", "-module-name", "LifelineScenarios", "-emit-library", "-static", "-emit-module",
          "-emit-module-path",
          "\(folder)/LifelineScenarios.swiftmodule", "-o", "\(folder)/libLifelineScenarios.a",
        ] + sources("Sources/LifelineScenarios"), in: folder)
      try compile(
        ["-module-name", "Catalogue", "-I", folder, "\(folder)/libLifelineScenarios.a", "-o", "\(folder)/catalogue"]
          + sources("Scenarios"), in: folder)
      let result = try lifeline(["run", "--all", "--from", "\(folder)/catalogue", "--format", "json"], in: folder)
      let plays = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8)).plays
      #expect(plays.count > 100)
      for play in plays where !play.failures.isEmpty {
        Issue.record("\(play.scenario) \(play.variant): \(play.failures.joined(separator: " "))")
      }
    }
  }
}
