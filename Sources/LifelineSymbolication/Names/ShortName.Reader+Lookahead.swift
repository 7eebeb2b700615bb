extension ShortName.Reader {
  typealias Byte = ShortName.Byte

  static let specializations: [StaticString] = [
    "generic specialization <", "function signature specialization <", "generic not re-abstracted specialization <",
    "generic partial specialization <", "inlined generic function <",
  ]

  static let resumptions: [StaticString] = [
    " await resume partial function for ", " suspend resume partial function for ",
  ]

  func has(_ text: StaticString, at index: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= name.count else { return false }
    for offset in 0..<count where name[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  func has(_ text: StaticString) -> Bool { has(text, at: position) }

  /// Steps over a text where it stands next.
  mutating func skip(_ text: StaticString) -> Bool {
    guard has(text) else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Appends a phrase; spaces do not double.
  mutating func say(_ text: StaticString) {
    while result.last == Byte.space, text.utf8Start[0] == Byte.space { result.removeLast() }
    result += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// Of a raw identifier, "`adds (two) numbers`", past the backtick that ends it.
  func endOfIdentifier(_ start: Int) -> Int {
    var end = start
    if end < name.count, name[end] == Byte.backtick, let last = name[(end + 1)...].firstIndex(of: Byte.backtick) {
      return last + 1
    }
    while end < name.count, Byte.isIdentifier(name[end]) { end += 1 }
    return end
  }

  /// Past the bracket that closes the one at `start`; the arrow of a function type closes none.
  ///
  /// Only brackets of its kind count: the demangler prints "[Closure Propagated : f, Argument Types : []>".
  func endOfGroup(_ start: Int) -> Int {
    let open = name[start]
    let close = open == Byte.openParenthesis ? Byte.closeParenthesis : open + 2
    var depth = 0
    var index = start
    while index < name.count {
      if name[index] == Byte.backtick, case let end = endOfIdentifier(index), end > index {
        index = end
        continue
      }
      if name[index] == open { depth += 1 }
      if name[index] == close, index == start || name[index - 1] != UInt8(ascii: "-") { depth -= 1 }
      index += 1
      if depth == 0 { break }
    }
    return index
  }

  /// The end of an operator's name that begins here; its fixity follows it: "..< infix".
  func endOfOperator() -> Int? {
    guard position == 0 || name[position - 1] == Byte.dot || name[position - 1] == Byte.space else { return nil }
    var end = position
    while end < name.count, Byte.isOperator(name[end]) { end += 1 }
    guard end > position, has(" infix", at: end) || has(" prefix", at: end) || has(" postfix", at: end) else {
      return nil
    }
    return end
  }

  /// Whether the path's rest is the accessor of a variable and nothing more.
  func isAccessor(from start: Int) -> Bool {
    let accessors: [StaticString] = [
      "getter", "setter", "modify", "read", "willset", "didset", "unsafeMutableAddressor", "unsafeAddressor", "init ",
    ]
    return accessors.contains { has($0, at: start) && has(" : ", at: endOfIdentifier(start)) }
  }

  /// Whether the text before `end` is a local name's number: "Local #1".
  func endsWithNumber(_ end: Int) -> Bool {
    var index = end - 1
    while index > 0, Byte.isDigit(name[index]) { index -= 1 }
    return index > 0 && index < end - 1 && name[index] == Byte.hash
  }
}
