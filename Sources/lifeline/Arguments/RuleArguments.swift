import ArgumentParser
import Foundation
import LifelineAnalysis
import LifelineTrace

/// The user's own hold rules.
struct RuleArguments: ParsableArguments {
  @Option(
    name: .customLong("rules"),
    help: "File with your own hold rules; 'lifeline rules --format json' shows the rules in effect and the format.")
  var file: String?

  /// The rules in effect.
  ///
  /// - Throws: `TraceError` if the file cannot be read or is invalid.
  func rules() throws -> HoldRules {
    guard let file else { return HoldRules() }
    let text = try InputFile(path: file).read()
    do {
      return try HoldRules(adding: Data(text.utf8), name: file)
    } catch let error as HoldRules.FormatError {
      throw TraceError(error.description)
    }
  }
}
