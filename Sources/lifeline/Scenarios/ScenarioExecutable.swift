import Foundation
import LifelineScenarios
import LifelineTrace

/// An executable that was built with LifelineScenarios.
struct ScenarioExecutable {
  static let defaultName = "lifeline-scenarios"
  let path: String

  /// The user's own, or the catalog next to lifeline.
  ///
  /// - Throws: `TraceError` if it cannot be run.
  init(path: String?) throws {
    if let path {
      guard let real = realpath(path, nil) else { throw TraceError("There is no executable \(path).") }
      defer { free(real) }
      self.path = String(cString: real)
    } else {
      guard let real = realpath("/proc/self/exe", nil) else { throw TraceError("The lifeline executable has no path.") }
      defer { free(real) }
      let folder = String(cString: real).split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
        separator: "/")
      self.path = "\(folder)/\(Self.defaultName)"
      guard access(self.path, X_OK) == 0 else {
        throw TraceError(
          "The catalog \(self.path) is not built; run 'swift build', or name an executable with --from.")
      }
    }
    guard access(self.path, X_OK) == 0 else { throw TraceError("\(self.path) cannot be run.") }
  }

  /// The named scenarios, or all, in the order of the executable, with the named variants, or all.
  ///
  /// - Throws: `TraceError` for an unknown name.
  func scenarios(named names: [String], variants: [String]) throws -> [Scenario] {
    let known = try scenarios()
    for name in names where !known.contains(where: { $0.name == name }) {
      throw TraceError(
        "No scenario named '\(name)'; 'lifeline run --list' lists them."
          + Suggestion(for: name, among: known.map(\.name)).sentence
      )
    }
    let named = names.isEmpty ? known : known.filter { names.contains($0.name) }
    guard !variants.isEmpty else { return named }
    let chosen = named.compactMap { $0.keeping(variants) }
    guard !chosen.isEmpty else {
      throw TraceError(
        "None of these scenarios has the variant \(variants.joined(separator: " or ")); see 'lifeline run --list'."
      )
    }
    return chosen
  }

  /// Requests the scenarios from the executable.
  ///
  /// - Throws: `TraceError` if it does not answer with a list.
  func scenarios() throws -> [Scenario] {
    let folder = try ScratchFolder()
    defer { folder.remove() }
    var process = try ScenarioProcess([path, ScenarioMain.listArgument], folder: folder, name: "list", limit: 30)
    while !process.hasEnded() { usleep(2000) }
    let hint = "It must call only ScenarioMain.run(_:) of LifelineScenarios."
    guard process.status == 0 else { throw TraceError("\(path) did not list its scenarios. \(hint)") }
    guard let list = try? JSONDecoder().decode(ScenarioList.self, from: Data(process.output.utf8)),
      list.schema == ScenarioList.schemaName
    else { throw TraceError("\(path) did not print a list of scenarios. \(hint)") }
    let keys = list.scenarios.flatMap { scenario in scenario.variants.map { "\(scenario.name) \($0.name)" } }
    if let twice = Dictionary(grouping: keys, by: { $0 }).filter({ $1.count > 1 }).keys.min() {
      throw TraceError("\(path) has two variants '\(twice)'; their names must differ.")
    }
    // The names become file names.
    if let odd = list.scenarios.flatMap({ [$0.name] + $0.variants.map(\.name) }).first(where: {
      $0.isEmpty || $0.contains("/") || $0.hasPrefix(".")
    }) {
      throw TraceError(
        "\(path) has a scenario or variant named '\(odd)'; names must not contain '/' or start with '.'.")
    }
    return list.scenarios
  }
}
