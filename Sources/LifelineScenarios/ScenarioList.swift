/// The output of an executable for `--list-scenarios`.
public struct ScenarioList: Codable, Sendable {
  public static let schemaName = "lifeline.scenarios/1"

  public let schema: String
  public let scenarios: [Scenario]

  public init(_ scenarios: [Scenario]) {
    schema = Self.schemaName
    self.scenarios = scenarios
  }
}
