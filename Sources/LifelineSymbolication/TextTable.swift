/// Names and paths, each made once and known by a number.
public struct TextTable {
  /// The number of the empty text.
  public static let none: Int32 = 0

  private var texts = [""]
  private var numbers: [String: Int32] = ["": none]
  private var pointers: [UnsafePointer<CChar>: Int32] = [:]

  public subscript(number: Int32) -> String { texts[Int(number)] }

  mutating func number(of text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let number = Int32(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }

  /// The same for a text of a file, which must stay open: most are met again at the same place.
  mutating func number(of text: UnsafePointer<CChar>) -> Int32 {
    if let known = pointers[text] { return known }
    let number = Int32(texts.count)
    texts.append(String(cString: text))
    pointers[text] = number
    return number
  }
}
