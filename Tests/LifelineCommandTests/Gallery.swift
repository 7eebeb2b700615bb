import Foundation
import LifelineTestSupport

/// The page Reports/README.md: describes each scenario of the catalog in the words of its source, with its reports.
struct Gallery {
  private struct List: Decodable {
    struct Scenario: Decodable {
      struct Variant: Decodable {
        let name: String
        let summary: String
      }
      let name: String
      let summary: String
      let origin: String
      let variants: [Variant]
    }
    let scenarios: [Scenario]
  }

  private let scenarios: [List.Scenario]

  /// Reads the output of `lifeline run --list --format json`.
  init(list: String) throws {
    scenarios = try JSONDecoder().decode(List.self, from: Data(list.utf8)).scenarios
  }

  /// Paths of the reports, relative to Reports/.
  var reports: [String] {
    scenarios.flatMap { scenario in scenario.variants.map { "\(scenario.name)/\($0.name).txt" } }
  }

  func page() throws -> String {
    var lines = [
      "# The gallery", "",
      """
      Each scenario of the catalog (`lifeline run --list`) with the reviewed report of each of its variants. A report \
      starts with
      """,
      """
      the program's own output; addresses, times and process IDs are replaced with letters. \
      `LIFELINE_RECORD_REPORTS=1 swift test
      """,
      """
      --filter GoldenReportTests` rewrites the reports and this page and then fails, so that the differences are \
      read.
      """,
      "",
      """
      [DelayedDeallocation.txt](DelayedDeallocation.txt) is the report of the stand-alone program in \
      [Examples](../Examples), with the histories of two objects.
      """,
    ]
    for scenario in scenarios {
      lines += [
        "", "## \(scenario.name)", "",
        scenario.summary + ". Source: [\(scenario.name).swift](../Scenarios/\(scenario.name).swift).",
      ]
      for paragraph in try header(of: scenario.name) { lines += ["", paragraph] }
      lines.append("")
      for variant in scenario.variants {
        lines.append("- [\(variant.name)](\(scenario.name)/\(variant.name).txt): \(variant.summary)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The paragraphs of the comment at the start of a scenario's file, without its title.
  private func header(of name: String) throws -> [String] {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Scenarios/\(name).swift"), encoding: .utf8)
    let comment = source.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("//") }
    let lines = comment.map { $0.drop { $0 == "/" || $0 == " " } }
    return lines.split(separator: "").dropFirst().map { $0.joined(separator: " ") }
  }
}
