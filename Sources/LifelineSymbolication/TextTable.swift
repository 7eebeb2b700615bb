/// Names and paths, each made once and known by a number.
struct TextTable {
  /// The number of the empty text: that of a name or a path that is not known.
  static let none: Int32 = 0

  private var texts = [""]
  private var numbers: [String: Int32] = ["": none]
  private var pointers: [UnsafePointer<CChar>: Int32] = [:]

  subscript(number: Int32) -> String { texts[Int(number)] }

  mutating func number(of text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let number = Int32(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }

  /// The number of a text that nobody will ask for again.
  mutating func add(_ text: UnsafePointer<CChar>) -> Int32 {
    guard text.pointee != 0 else { return Self.none }
    texts.append(String(cString: text))
    return Int32(texts.count - 1)
  }

  /// The number of a text of a file, which must stay open: most are met again at the same place.
  mutating func number(of text: UnsafePointer<CChar>) -> Int32 {
    if let known = pointers[text] { return known }
    let number = add(text)
    pointers[text] = number
    return number
  }
}
