/// The findings that a project knows and has not fixed yet: a text file with one line each, "fingerprint kind class".
///
/// Text rather than JSON, sorted, one finding per line, because it is kept under version control and merged by people.
public struct Baseline: Sendable, Equatable {
  public struct Entry: Sendable, Hashable {
    public let fingerprint: String
    public let kind: String
    public let className: String

    /// "00c0ffee00c0ffee leak App.Node".
    public var line: String { className.isEmpty ? "\(fingerprint) \(kind)" : "\(fingerprint) \(kind) \(className)" }
  }

  private static let heading = "# lifeline.baseline/1"
  /// Sorted by kind, class and fingerprint.
  public let entries: [Entry]

  public init(_ findings: [GateFinding]) {
    self.init(
      entries: findings.map { Entry(fingerprint: $0.fingerprint, kind: $0.kind, className: Self.oneLine($0.className)) }
    )
  }

  private init(entries: [Entry]) {
    self.entries = Set(entries).sorted {
      ($0.kind, $0.className, $0.fingerprint) < ($1.kind, $1.className, $1.fingerprint)
    }
  }

  /// - Throws: `GateError` with file and line.
  public init(_ text: String, file: String) throws {
    let lines = text.trimmedLines
    guard lines.first == Self.heading else {
      throw GateError(
        "\(file) is not a baseline: its first line is not '\(Self.heading)'. --update-baseline writes one.")
    }
    var found: [Entry] = []
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count >= 2, words[0].utf8.count == 16, words[0].allSatisfy(\.isHexDigit) else {
        throw GateError(
          "\(file):\(index + 1): '\(line)' is not an entry; it must be a fingerprint of 16 digits, a kind and a class.")
      }
      found.append(
        Entry(fingerprint: String(words[0]), kind: String(words[1]), className: words.count > 2 ? String(words[2]) : "")
      )
    }
    self.init(entries: found)
  }

  /// The file's text.
  public var text: String {
    ([Self.heading, "# Known findings, written by 'lifeline check --update-baseline'."]
      + entries.map(\.line))
      .joined(separator: "\n") + "\n"
  }

  public func contains(_ finding: GateFinding) -> Bool { entries.contains { $0.fingerprint == finding.fingerprint } }

  /// Entries that match none of the findings.
  public func missing(from findings: [GateFinding]) -> [Entry] {
    let seen = Set(findings.map(\.fingerprint))
    return entries.filter { !seen.contains($0.fingerprint) }
  }

  public func filter(_ isKept: (Entry) -> Bool) -> Baseline { Baseline(entries: entries.filter(isKept)) }

  public func union(_ other: Baseline) -> Baseline { Baseline(entries: entries + other.entries) }

  private static func oneLine(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
  }
}
