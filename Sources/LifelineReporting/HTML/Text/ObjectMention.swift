/// An object's identifier in a sentence: "Detail#1" is named in "Detail#1.frc", but not in "Detail#12".
struct ObjectMention {
  private let identifier: [UInt8]

  init(_ identifier: String) { self.identifier = Array(identifier.utf8.prefix(1000)) }

  func isIn(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard !identifier.isEmpty, text.count >= identifier.count else { return false }
    for start in 0...(text.count - identifier.count) where text[start] == identifier[0] {
      let end = start + identifier.count
      guard text[start..<end].elementsEqual(identifier) else { continue }
      let before = start > 0 ? text[start - 1] : 0x20
      let after = end < text.count ? text[end] : 0x20
      if !Self.isPartOfName(before), !(0x30...0x39).contains(after) { return true }
    }
    return false
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}
