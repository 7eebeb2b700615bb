import Glibc

/// Names and paths, one after another in memory, each known by a number.
struct TextTable {
  /// The number of the empty text: that of a name or a path that is not known.
  static let none: Int32 = 0

  /// UTF-8, or whatever a file has instead.
  private var bytes: [UInt8] = []
  /// Where each text begins, and where the last one ends.
  private var starts = [0, 0]
  private var numbers: [UnsafePointer<CChar>: Int32] = [:]

  subscript(number: Int32) -> String { String(decoding: self.bytes(of: number), as: UTF8.self) }

  /// O(1).
  func bytes(of number: Int32) -> ArraySlice<UInt8> { bytes[starts[Int(number)]..<starts[Int(number) + 1]] }

  mutating func add(_ text: String) -> Int32 {
    bytes.append(contentsOf: text.utf8)
    return finish()
  }

  /// The number of a text that nobody will ask for again.
  mutating func add(_ text: UnsafePointer<CChar>) -> Int32 {
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    return finish()
  }

  /// The number of a text of a file, which must stay open: most are met again at the same place.
  mutating func number(of text: UnsafePointer<CChar>) -> Int32 {
    if let known = numbers[text] { return known }
    let number = add(text)
    numbers[text] = number
    return number
  }

  private mutating func finish() -> Int32 {
    guard bytes.count > starts[starts.count - 1] else { return Self.none }
    starts.append(bytes.count)
    return Int32(starts.count - 2)
  }
}
