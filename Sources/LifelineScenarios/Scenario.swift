/// A lifetime story: real code that runs under the probe, and what Lifeline must report about it.
///
/// An executable that calls `ScenarioMain.run(_:)` with its scenarios can be passed to `lifeline run --from`.
public struct Scenario: Codable, Sendable {
  /// Unique within an executable: "DelayedDeallocation".
  public let name: String
  /// One line for the list.
  public let summary: String
  /// The origin of the story: the article's file name, or "classic".
  public let origin: String
  /// The scenario's own source file first, then support files that also have marked lines.
  public let sources: [String]
  public let variants: [Variant]

  /// `support` names files relative to the scenario's own.
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

  /// The scenario with only the named variants; nil if none is named.
  public func keeping(_ names: [String]) -> Scenario? {
    let kept = variants.filter { names.contains($0.name) }
    return kept.isEmpty ? nil : Scenario(self, kept)
  }
}
