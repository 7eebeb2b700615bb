/// A pattern for names in which `*` matches any run of characters.
struct Pattern {
  private let parts: [Substring]

  init(_ text: String) { parts = text.split(separator: "*", omittingEmptySubsequences: false) }

  func matches(_ name: String) -> Bool {
    guard parts.count > 1 else { return name == parts[0] }
    guard name.hasPrefix(parts[0]), name.count >= parts[0].count + parts.last!.count, name.hasSuffix(parts.last!) else { return false }
    var rest = name.dropFirst(parts[0].count).dropLast(parts.last!.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
