import ArgumentParser
import Foundation
import LifelineAnalysis
import LifelineTrace

/// The user's own hold rules.
struct RuleArguments: ParsableArguments {
  @Option(
    name: .customLong("rules"),
    help: "File with your own hold rules; 'lifeline rules' lists the rules in effect and shows the format.")
  var file: String?

  /// The rules in effect.
  ///
  /// - Throws: `TraceError` if the file is invalid.
  func rules() throws -> HoldRules {
    guard let file else { return HoldRules() }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw TraceError("Cannot read the hold rules file \(file).")
    }
    do {
      return try HoldRules(adding: bytes, name: file)
    } catch let error as HoldRules.FormatError {
      throw TraceError(error.description)
    }
  }
}
