import Foundation
import LifelineReporting
import LifelineScenarios

/// The list of scenarios, for people or programs.
struct ScenarioListText {
  private let scenarios: [Scenario]

  init(_ scenarios: [Scenario]) { self.scenarios = scenarios }

  /// Name, one line, article and variants of each.
  var text: String {
    scenarios.map { scenario in
      var table = TextTable(header: ["", ""], rightAligned: [])
      for variant in scenario.variants { table.add(["    \(variant.name)", variant.summary]) }
      return (["\(scenario.name): \(scenario.summary) (\(scenario.origin))"] + table.lines.dropFirst()).joined(
        separator: "\n") + "\n"
    }.joined(separator: "\n")
  }

  /// The same as printed by the executable.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(ScenarioList(scenarios)), as: UTF8.self) + "\n"
  }
}
