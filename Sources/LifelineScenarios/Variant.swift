/// One course of a scenario: the bug, or one of its fixes.
public struct Variant: Codable, Sendable {
  /// Unique in its scenario: "buggy", "weak-delegate".
  public let name: String
  /// A sentence or two for the gallery.
  public let summary: String
  /// How the process must end.
  public let ending: Ending
  /// What must or must not be found. An error or a warning that matches none of them is unexpected too.
  public let expectations: [ScenarioExpectation]
  /// The code of the variant, run in its own process. Empty in a list read from an executable.
  public var play: @Sendable () -> Void = {}

  enum CodingKeys: String, CodingKey { case name, summary, ending, expectations }

  /// How a process ends.
  public enum Ending: Codable, Sendable, Equatable {
    case exit(Int)
    case signal(Int)
  }

  public init(
    _ name: String, _ summary: String, ending: Ending = .exit(0), expect expectations: [ScenarioExpectation] = [],
    play: @escaping @Sendable () -> Void
  ) {
    self.name = name
    self.summary = summary
    self.ending = ending
    self.expectations = expectations
    self.play = play
  }
}
