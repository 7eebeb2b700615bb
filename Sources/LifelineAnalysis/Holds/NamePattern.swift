import LifelineLifetimes

/// A pattern for names: `*` matches any run of characters, other characters match themselves.
public struct NamePattern: Sendable, Equatable {
  public let text: String
  /// Parts between the stars; empty ones at the ends leave that end open.
  private let parts: [[UInt8]]

  /// The whole name must match.
  public init(_ text: String) {
    self.text = text
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// O(name × pattern) at worst: taking the earliest match of each part is sufficient.
  public func matches(_ name: String) -> Bool {
    let name = Array(name.utf8)
    guard let first = parts.first, let last = parts.last else { return name.isEmpty }
    if parts.count == 1 { return name == first }
    guard name.count >= first.count + last.count, name.starts(with: first), name.suffix(last.count).elementsEqual(last)
    else { return false }
    var position = first.count
    let end = name.count - last.count
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = Self.find(part, in: name, from: position, to: end) else { return false }
      position = found + part.count
    }
    return true
  }

  /// Whether a class has the name, with or without its module.
  public func matchesClass(_ name: String) -> Bool {
    matches(name) || matches(ObjectID(className: name, number: 1).shortClassName)
  }

  private static func find(_ part: [UInt8], in name: [UInt8], from start: Int, to end: Int) -> Int? {
    guard start + part.count <= end else { return nil }
    return (start...(end - part.count)).first {
      name[$0] == part[0] && name[$0..<($0 + part.count)].elementsEqual(part)
    }
  }
}
