/// The text of LIFELINE_OPTIONS: `key=value:key=value`; a backslash escapes the next character.
struct OptionText: Equatable {
  /// Maximum length that the probe reads, in bytes.
  static let limit = 16383

  struct Pair: Equatable {
    let key: String
    let value: String
  }

  private(set) var pairs: [Pair] = []

  init() {}

  /// Parses a text; like in the probe, a key without a value is set to 1.
  init(_ text: String) {
    var key = "", value: String?
    func end(_ pairs: inout [Pair]) {
      if !key.isEmpty { pairs.append(Pair(key: key, value: value ?? "1")) }
      (key, value) = ("", nil)
    }
    func add(_ scalar: Unicode.Scalar) {
      if value == nil { key.unicodeScalars.append(scalar) } else { value!.unicodeScalars.append(scalar) }
    }
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case ":": end(&pairs)
      case "\\": add(rest.popFirst() ?? scalar)
      case "=" where value == nil: value = ""
      default: add(scalar)
      }
    }
    end(&pairs)
  }

  subscript(key: String) -> String? { pairs.last { $0.key == key }?.value }

  mutating func add(_ key: String, _ value: String) { pairs.append(Pair(key: key, value: value)) }

  mutating func remove(_ keys: Set<String>) { pairs.removeAll { keys.contains($0.key) } }

  /// The text; in the probe a later value of a key replaces an earlier one, and class patterns accumulate.
  var text: String { pairs.map { "\(Self.escape($0.key))=\(Self.escape($0.value))" }.joined(separator: ":") }

  // By scalars, because a colon with a combining mark is another Character, but still a colon.
  private static func escape(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == ":" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
