extension String {
  /// The text shortened in its middle to `limit` characters, because names differ at both ends.
  public func shortened(to limit: Int) -> String {
    guard count > limit, limit > 1 else { return self }
    return prefix(limit / 2) + "…" + suffix(limit - limit / 2 - 1)
  }

  /// The text in lines of at most `width` columns, if its words allow; nil is no limit.
  ///
  /// Continuation lines are indented by two more columns. A place such as "File.swift:12" is a word and stays whole,
  /// and so does a command that a reader may copy. Colors take no columns.
  public func wrapped(to width: Int?) -> String {
    guard let width, width > 0 else { return self }
    return split(separator: "\n", omittingEmptySubsequences: false).map { Self.wrapped($0, to: width) }
      .joined(separator: "\n")
  }

  private static func wrapped(_ line: Substring, to width: Int) -> String {
    // Bytes are never fewer than columns, and counting them takes no time.
    guard line.utf8.count > width, columns(line) > width else { return String(line) }
    let indent = line.prefix { $0 == " " }.count
    var result = String(repeating: " ", count: indent)
    var used = indent
    var isFirst = true
    for (gap, word) in words(line.dropFirst(indent)) {
      let size = columns(word)
      if !isFirst, used + gap + size > width {
        result += "\n" + String(repeating: " ", count: indent + 2)
        used = indent + 2
      } else {
        result += String(repeating: " ", count: gap)
        used += gap
      }
      result += word
      used += size
      isFirst = false
    }
    return result
  }

  /// Words, each with the number of spaces before it; a command counts as one word, and so does a number with its unit.
  private static func words(_ text: Substring) -> [(gap: Int, word: Substring)] {
    var words: [(gap: Int, word: Substring)] = []
    var rest = text
    while !rest.isEmpty {
      let gap = rest.prefix { $0 == " " }.count
      rest = rest.dropFirst(gap)
      var end = rest.hasPrefix("lifeline ") ? rest.endIndex : rest.firstIndex(of: " ") ?? rest.endIndex
      if end < rest.endIndex, rest[..<end].allSatisfy({ $0.isNumber || $0 == "." || $0 == "," }) {
        let unit = rest.index(after: end)
        end = rest[unit...].firstIndex(of: " ") ?? rest.endIndex
      }
      words.append((gap, rest[..<end]))
      rest = rest[end...]
    }
    return words
  }

  /// Visible characters, without color commands.
  private static func columns(_ text: Substring) -> Int {
    var count = 0
    var isCommand = false
    for character in text {
      if character == "\u{1B}" {
        isCommand = true
      } else if isCommand {
        isCommand = character != "m"
      } else {
        count += 1
      }
    }
    return count
  }
}
