extension ShortName {
  /// The characters that a demangled name is made of.
  enum Byte {
    static let space = UInt8(ascii: " ")
    static let dot = UInt8(ascii: ".")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let hash = UInt8(ascii: "#")
    static let backtick = UInt8(ascii: "`")
    static let openParenthesis = UInt8(ascii: "(")
    static let closeParenthesis = UInt8(ascii: ")")

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// Letters, digits, "_", "$", and all of Unicode outside ASCII.
    static func isIdentifier(_ byte: UInt8) -> Bool {
      let lower = byte | 0x20
      return (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")) || isDigit(byte) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    static func opens(_ byte: UInt8) -> Bool {
      byte == openParenthesis || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "[")
    }

    static func isOperator(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "="),
        UInt8(ascii: "<"),
        UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
        UInt8(ascii: "~"),
        UInt8(ascii: "%"), UInt8(ascii: "?"), dot:
        true
      default: byte >= 0x80
      }
    }
  }
}
