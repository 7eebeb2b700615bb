import ArgumentParser
import Foundation
import LifelineAnalysis
import LifelineTrace

/// Hold rules of the user's own.
struct RuleArguments: ParsableArguments {
  @Option(
    name: .customLong("rules"),
    help: "File of hold rules of your own; 'lifeline rules' lists those in force and shows the form.")
  var file: String?

  /// The rules in force.
  ///
  /// - Throws: `TraceError` when the file cannot be used.
  func rules() throws -> HoldRules {
    guard let file else { return HoldRules() }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw TraceError("The file of hold rules \(file) cannot be read.")
    }
    do {
      return try HoldRules(adding: bytes, name: file)
    } catch let error as HoldRules.FormatError {
      throw TraceError(error.description)
    }
  }
}
