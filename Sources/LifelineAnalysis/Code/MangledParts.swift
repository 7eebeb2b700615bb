/// The parts of a mangled name that a search for types needs, in order: its identifiers, and the bytes of all else
/// (Mangling.rst).
///
/// An identifier may repeat words of earlier ones, so the name is read from its start. Of a type that occurred before
/// ("AC") or is a standard one ("Si", "S2i") only the first byte is a part, and of an identifier that cannot be read
/// only a "0". O(bytes).
struct MangledParts: Sequence, IteratorProtocol {
  enum Element: Equatable {
    case identifier(String)
    case byte(UInt8)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var words: [ArraySlice<UInt8>] = []

  init(_ mangled: String) { bytes = Array(mangled.utf8) }

  /// What follows the last identifier of that name; nil if there is none.
  static func bytes(behindLast identifier: String, in mangled: String) -> ArraySlice<UInt8>? {
    var parts = MangledParts(mangled)
    var end: Int?
    while let part = parts.next() {
      if part == .identifier(identifier) { end = parts.index }
    }
    return end.map { parts.bytes[$0...] }
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func next() -> Element? {
    guard let first = byte else { return nil }
    let start = index
    if Self.isDigit(first) {
      if let name = identifier() { return .identifier(name) }
      index = start + 1
      return .byte(UInt8(ascii: "0"))
    }
    index += 1
    switch first {
    case UInt8(ascii: "A"):
      while let next = byte {
        index += 1
        if !Self.isDigit(next), !Self.isLower(next) { break }
      }
    case UInt8(ascii: "S"):
      _ = number()
      index += byte == UInt8(ascii: "c") ? 2 : 1
    default: break
    }
    return .byte(first)
  }

  /// A length and as many bytes; or a "0" and words of earlier identifiers, the last one in upper case, with such parts
  /// behind them. A second "0" begins one that is not ASCII, which is not read.
  private mutating func identifier() -> String? {
    var hasWords = byte == UInt8(ascii: "0")
    if hasWords { index += 1 }
    var name: [UInt8] = []
    repeat {
      while hasWords, let letter = byte, Self.isLower(letter) || Self.isUpper(letter) {
        index += 1
        hasWords = Self.isLower(letter)
        let word = Int(letter - UInt8(ascii: hasWords ? "a" : "A"))
        guard word < words.count else { return nil }
        name += words[word]
      }
      if byte == UInt8(ascii: "0"), !name.isEmpty {
        index += 1
        break
      }
      guard let length = number(), length > 0, index + length <= bytes.count else { return nil }
      let text = bytes[index..<index + length]
      index += length
      name += text
      addWords(of: text)
    } while hasWords
    return String(decoding: name, as: UTF8.self)
  }

  /// A word begins with anything but a digit, has two bytes or more, and ends before a "_" or a capital letter that
  /// follows one that is none.
  private mutating func addWords(of text: ArraySlice<UInt8>) {
    var start: Int?
    for index in text.startIndex...text.endIndex {
      let next = index < text.endIndex ? text[index] : UInt8(ascii: "_")
      if let begin = start, next == UInt8(ascii: "_") || Self.isUpper(next) && !Self.isUpper(text[index - 1]) {
        if index - begin >= 2, words.count < 26 { words.append(text[begin..<index]) }
        start = nil
      }
      if start == nil, next != UInt8(ascii: "_"), !Self.isDigit(next) { start = index }
    }
  }

  private mutating func number() -> Int? {
    var number: Int?
    while let digit = byte, Self.isDigit(digit), number ?? 0 < 1000 {
      number = (number ?? 0) * 10 + Int(digit - UInt8(ascii: "0"))
      index += 1
    }
    return number
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
  private static func isLower(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }
  private static func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
}
