import Foundation

/// The entry point of an executable with scenarios.
public enum ScenarioMain {
  /// The request of `lifeline run` to the executable.
  public static let listArgument = "--list-scenarios"
  /// Followed by the names of a scenario and of its variant.
  public static let playArgument = "--play"

  /// Does what the command line asks for; an invalid command line ends the process with status 64. A run ends by
  /// returning from main, so that no frame of the program holds objects when the process is examined.
  public static func run(_ scenarios: [Scenario]) {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments == [listArgument] {
      return list(scenarios)
    }
    guard arguments.count == 3, arguments[0] == playArgument else {
      refuse("usage: \(listArgument) | \(playArgument) SCENARIO VARIANT")
    }
    guard let scenario = scenarios.first(where: { $0.name == arguments[1] }) else {
      refuse("No scenario named '\(arguments[1])'; \(listArgument) lists them.")
    }
    guard let variant = scenario.variants.first(where: { $0.name == arguments[2] }) else {
      refuse("\(scenario.name) has no variant \(arguments[2]); \(listArgument) lists them.")
    }
    variant.play()
  }

  private static func list(_ scenarios: [Scenario]) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Texts, numbers and lists of them, all of which JSON can represent.
    let text = try! encoder.encode(ScenarioList(scenarios))
    Output.write(String(decoding: text, as: UTF8.self) + "\n", to: STDOUT_FILENO)
  }

  private static func refuse(_ sentence: String) -> Never {
    Output.write(sentence + "\n", to: STDERR_FILENO)
    exit(64)
  }
}
