/// Finds an identifier in a mangled name, where its length in bytes precedes it (Mangling.rst).
enum MangledIdentifier {
  /// What follows the first occurrence; nil if there is none. O(bytes).
  static func bytes(afterFirst identifier: String, in mangled: String) -> ArraySlice<UInt8>? {
    bytes(after: identifier, in: mangled) { $0.first(where: $1) }
  }

  /// What follows the last occurrence; nil if there is none. O(bytes).
  static func bytes(afterLast identifier: String, in mangled: String) -> ArraySlice<UInt8>? {
    bytes(after: identifier, in: mangled) { $0.last(where: $1) }
  }

  private static func bytes(
    after identifier: String, in mangled: String, _ choose: (Range<Int>, (Int) -> Bool) -> Int?
  ) -> ArraySlice<UInt8>? {
    let bytes = Array(mangled.utf8), pattern = Array("\(identifier.utf8.count)\(identifier)".utf8)
    guard bytes.count >= pattern.count else { return nil }
    let start = choose(0..<bytes.count - pattern.count + 1) { start in
      bytes[start] == pattern[0] && bytes[start..<start + pattern.count].elementsEqual(pattern)
    }
    return start.map { bytes[($0 + pattern.count)...] }
  }
}
