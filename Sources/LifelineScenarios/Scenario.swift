/// A lifetime story: real code that is played under the probe, and what Lifeline must say about it.
///
/// An executable that calls `ScenarioMain.run(_:)` with its scenarios can be given to `lifeline run --from`.
public struct Scenario: Codable, Sendable {
  /// Unique among those of an executable: "DelayedDeallocation".
  public let name: String
  /// One line for the list.
  public let summary: String
  /// Where the story comes from: the article's file name, or "classic".
  public let origin: String
  /// The story's own source file first, then support files in which lines are marked too.
  public let sources: [String]
  public let variants: [Variant]

  /// `support` names files relative to the story's own.
  public init(
    _ name: String, _ summary: String, from origin: String, support: [String] = [], source: String = #filePath,
    variants: [Variant]
  ) {
    self.name = name
    self.summary = summary
    self.origin = origin
    let folder = source.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    sources = [source] + support.map { "\(folder)/\($0)" }
    self.variants = variants
  }

  private init(_ other: Scenario, _ variants: [Variant]) {
    name = other.name
    summary = other.summary
    origin = other.origin
    sources = other.sources
    self.variants = variants
  }

  /// The scenario with those of its variants that are named; nil when none is.
  public func keeping(_ names: [String]) -> Scenario? {
    let kept = variants.filter { names.contains($0.name) }
    return kept.isEmpty ? nil : Scenario(self, kept)
  }
}
