extension StringProtocol {
  /// The lines, each without spaces, tabs and carriage returns at its ends.
  ///
  /// Split as bytes, because `\r\n` is a single `Character`, which is not `\n`.
  var trimmedLines: [String] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self).trimmed
    }
  }

  /// Without spaces, tabs and carriage returns at the ends.
  var trimmed: String {
    let blank: Set<Unicode.Scalar> = [" ", "\t", "\r"]
    var part = String(self).unicodeScalars[...]
    while let first = part.first, blank.contains(first) { part = part.dropFirst() }
    while let last = part.last, blank.contains(last) { part = part.dropLast() }
    return String(part)
  }
}
