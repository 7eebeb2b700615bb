/// A demangled Swift name reduced to what a developer says: "closure #1 in FetchedResultsController.init(delegate:)".
struct ShortName {
  let text: String

  init(_ demangled: String) {
    var pieces = Self.split(Self.withoutDiscriminators(demangled))
    if pieces.count > 1, let first = pieces.first, first.hasPrefix("generic specialization") || first.hasPrefix("function signature specialization") {
      pieces.removeFirst()
    }
    text = pieces.map(Self.simplify).joined(separator: " in ")
  }

  /// "(name in _0123ABCD)" → "name".
  private static func withoutDiscriminators(_ name: String) -> String {
    var result = ""
    var rest = Substring(name)
    while let range = rest.firstRange(of: " in _") {
      let tail = rest[range.upperBound...]
      guard let close = tail.firstIndex(of: ")"), tail[..<close].allSatisfy(\.isHexDigit),
        let open = rest[..<range.lowerBound].lastIndex(of: "(")
      else {
        result += rest[..<range.upperBound]
        rest = tail
        continue
      }
      result += rest[..<open] + rest[rest.index(after: open)..<range.lowerBound]
      rest = tail[tail.index(after: close)...]
    }
    return result + rest
  }

  /// Splits at " in " and " of " outside of brackets.
  private static func split(_ name: String) -> [String] {
    var pieces: [String] = []
    var current = ""
    var depth = 0
    var rest = Substring(name)
    while let character = rest.first {
      if "(<[".contains(character) { depth += 1 }
      if ")>]".contains(character), !current.hasSuffix("-") { depth -= 1 }
      if depth == 0, let separator = [" in ", " of "].first(where: { rest.hasPrefix($0) }) {
        pieces.append(current)
        current = ""
        rest = rest.dropFirst(separator.count)
        continue
      }
      current.append(character)
      rest = rest.dropFirst()
    }
    return pieces + [current]
  }

  private static func simplify(_ piece: String) -> String {
    var name = Substring(piece)
    if name.hasPrefix("(extension in "), let end = name.firstRange(of: "):") { name = name[end.upperBound...] }
    var result = ""
    while let character = name.first {
      if name.hasPrefix(" -> ") || name.hasPrefix(" : ") || name.hasPrefix(" async") || name.hasPrefix(" throws") { break }
      if character == "<" {
        name = name.dropFirst(group(name, "<", ">"))
        continue
      }
      if character == "(" {
        let size = group(name, "(", ")")
        let inside = name.dropFirst().prefix(max(0, size - 2))
        if !result.isEmpty, result.last != " " { result += "(\(labels(inside)))" }
        name = name.dropFirst(size)
        continue
      }
      result.append(character)
      name = name.dropFirst()
    }
    return withoutModule(result.trimmingSuffix(while: { $0 == " " }))
  }

  /// Length of the bracketed text at the beginning.
  private static func group(_ text: Substring, _ open: Character, _ close: Character) -> Int {
    var depth = 0
    var length = 0
    var previous: Character = " "
    for character in text {
      length += 1
      if character == open { depth += 1 }
      if character == close, previous != "-" {
        depth -= 1
        if depth == 0 { return length }
      }
      previous = character
    }
    return length
  }

  /// "delegate: App.Delegate, Swift.Int" → "delegate:_:".
  private static func labels(_ parameters: Substring) -> String {
    if parameters.isEmpty { return "" }
    var result = ""
    var depth = 0
    var current = ""
    func label(_ text: String) -> String {
      let trimmed = text.drop { $0 == " " }
      guard let colon = trimmed.firstIndex(of: ":"), trimmed[..<colon].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
      else { return "_:" }
      return trimmed[...colon].description
    }
    for character in parameters {
      if "(<[".contains(character) { depth += 1 }
      if ")>]".contains(character), current.last != "-" { depth -= 1 }
      if character == ",", depth == 0 {
        result += label(current)
        current = ""
      } else {
        current.append(character)
      }
    }
    return result + label(current)
  }

  /// Drops the module at the beginning of the dotted path: "static App.Foo.bar()" → "static Foo.bar()".
  private static func withoutModule(_ name: String) -> String {
    var words = name.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    for index in words.indices {
      guard let dot = words[index].firstIndex(of: "."), dot != words[index].startIndex else { continue }
      let module = words[index][..<dot]
      let rest = words[index][words[index].index(after: dot)...]
      guard module.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), let next = rest.first, next != "." else { continue }
      words[index] = String(rest)
      break
    }
    return words.joined(separator: " ")
  }
}

extension String {
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
    var end = endIndex
    while end > startIndex, condition(self[index(before: end)]) { end = index(before: end) }
    return String(self[..<end])
  }
}
