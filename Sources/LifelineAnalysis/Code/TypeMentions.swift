/// Which types mention a name: "Swift.Array<App.Token>" mentions "App.Token", but not "App.Tok".
///
/// A name may contain type arguments, spaces and extensions, so it is searched for as text, but only in the types that
/// contain its rarest word. O(characters of the types) once, and O(matching types) for each name.
final class TypeMentions {
  private let list: () -> [String]
  private lazy var types = Set(list()).map { Array($0.utf8) }
  private lazy var typesByWord = Self.byWord(types)
  private var known: [Set<String>: Bool] = [:]

  /// The types are requested with the first name.
  init(_ types: @escaping () -> [String]) { list = types }

  /// Whether one of the types mentions one of the names.
  func contain(_ names: Set<String>) -> Bool {
    if let known = known[names] { return known }
    let answer = names.contains { name in
      let name = Array(name.utf8)
      return candidates(name).contains { Self.isMentioned(name, in: types[$0]) }
    }
    known[names] = answer
    return answer
  }

  static func isMentioned(_ names: Set<String>, in type: some StringProtocol) -> Bool {
    let type = Array(type.utf8)
    return names.contains { isMentioned(Array($0.utf8), in: type) }
  }

  /// The types that contain all words of a name, except that the first may be longer. Names begin with a module.
  private func candidates(_ name: [UInt8]) -> [Int] {
    let words = Self.words(name).dropFirst()
    guard !words.isEmpty else { return Array(types.indices) }
    return words.map { typesByWord[name[$0]] ?? [] }.min { $0.count < $1.count } ?? []
  }

  private static func byWord(_ types: [[UInt8]]) -> [ArraySlice<UInt8>: [Int]] {
    var result: [ArraySlice<UInt8>: [Int]] = [:]
    for (index, type) in types.enumerated() {
      for word in words(type) where result[type[word]]?.last != index { result[type[word], default: []].append(index) }
    }
    return result
  }

  private static func words(_ text: [UInt8]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start: Int?
    for (index, byte) in text.enumerated() {
      if isOfWord(byte) {
        start = start ?? index
      } else if let first = start {
        result.append(first..<index)
        start = nil
      }
    }
    return result + (start.map { [$0..<text.count] } ?? [])
  }

  private static func isMentioned(_ name: [UInt8], in type: [UInt8]) -> Bool {
    guard let first = name.first, type.count >= name.count else { return false }
    for start in 0...(type.count - name.count) where type[start] == first {
      let end = start + name.count
      // A name ends at a word boundary: "App.Token" is not in "App.TokenRing".
      guard end == type.count || !isOfWord(type[end]) else { continue }
      if type[start..<end].elementsEqual(name) { return true }
    }
    return false
  }

  /// A letter, a digit or an underscore; letters beyond ASCII have several bytes.
  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}
