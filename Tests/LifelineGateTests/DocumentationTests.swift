import Foundation
import LifelineAnalysis
import LifelineGate
import LifelineTestSupport
import Testing

/// The examples in Documentation/ContinuousIntegration.md are valid for the gate and the CI services.
@Suite(.timeLimit(.minutes(60))) struct DocumentationTests {
  /// The fenced blocks of the page with a language, or "" for none.
  private static func blocks(_ language: String) throws -> [String] {
    let page = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Documentation/ContinuousIntegration.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "\n```")
    // Odd parts are inside a fence and begin with its language.
    return parts.enumerated().compactMap { index, part in
      index % 2 == 1 && part.hasPrefix("\(language)\n") ? part.dropFirst(language.count + 1) + "\n" : nil
    }
  }

  @Test("The suppressions and contracts in the documentation are valid")
  func files() throws {
    let blocks = try Self.blocks("")
    try #require(blocks.count == 2)
    let list = try SuppressionList(blocks[0], file: "page", kinds: Finding.Kind.allCases.map(\.rawValue))
    #expect(
      list.suppressions.map(\.reason) == ["the vendor knows, ticket 4711", "goes away with the old cache, issue 12"])
    let contracts = try ContractList(blocks[1], file: "page").contracts
    #expect(
      contracts.map(\.text) == [
        "DetailViewController: max-live 1", "Session: freed-on main", "Row: freed-on org.example.store",
        "ImageCache: never-freed-off decoder*",
        "*Coordinator: gone-at-exit",
        "DetailViewController: dies-within 1 event of MasterViewController.detail",
        "FetchedResultsController: holders only [DetailViewController, NotificationCenter:transient]",
      ])
  }

  @Test(
    "The workflows match the published schemas of GitHub Actions and GitLab",
    .needs(.checkJSONSchema),
    arguments: [["vendor.github-workflows"], ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"]])
  func workflows(_ schema: [String]) throws {
    let index = schema.count == 1 ? 0 : 1
    let blocks = try Self.blocks("yaml")
    try #require(blocks.count == 2)
    try withTemporaryFolder { folder in
      try blocks[index].write(toFile: "\(folder)/workflow.yml", atomically: true, encoding: .utf8)
      let result = try TestTool.checkJSONSchema.run(["--builtin-schema"] + schema + ["workflow.yml"], folder: folder)
      #expect(result.status == 0, "\(result.output)")
      try blocks[index].replacingOccurrences(of: "script:", with: "scrip:").replacingOccurrences(
        of: "runs-on:", with: "runs:"
      )
      .write(toFile: "\(folder)/broken.yml", atomically: true, encoding: .utf8)
      let broken = try TestTool.checkJSONSchema.run(["--builtin-schema"] + schema + ["broken.yml"], folder: folder)
      #expect(broken.status == 1, "the validator detects the change")
    }
  }
}
