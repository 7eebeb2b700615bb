/// A command as a shell would read it back.
public struct ShellText {
  public let text: String

  public init(_ words: [String]) { text = words.map(Self.quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.utf8.allSatisfy(isPlain) { return word }
    var result = "'"
    for character in word.unicodeScalars {
      if character == "'" { result += #"'\''"# } else { result.unicodeScalars.append(character) }
    }
    return result + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x2B...0x3A, 0x3D, 0x40...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}
