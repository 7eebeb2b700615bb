extension String {
  /// Whether the text has `part`, byte by byte.
  ///
  /// The standard library's `contains` makes a table for each call, which takes longer than to search a type's name.
  func containsBytes(_ part: StaticString) -> Bool {
    var text = self
    return text.withUTF8 { bytes in
      part.withUTF8Buffer { part in
        bytes.count >= part.count
          && (0...bytes.count - part.count).contains { start in bytes[start...].starts(with: part) }
      }
    }
  }
}
