extension String {
  /// The text with everything that could control a terminal or reorder its line replaced by U+FFFD.
  ///
  /// C0 and C1 controls, DEL, and the bidirectional controls of Unicode (U+202A…E, U+2066…9, U+200E/F, U+061C).
  public var safe: String {
    guard unicodeScalars.contains(where: Self.isUnsafe) else { return self }
    var result = ""
    for scalar in unicodeScalars { result.unicodeScalars.append(Self.isUnsafe(scalar) ? "\u{FFFD}" : scalar) }
    return result
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2028, 0x2029, 0x2066...0x2069: true
    default: false
    }
  }
}
