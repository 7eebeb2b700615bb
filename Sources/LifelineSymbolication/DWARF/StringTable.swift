import Glibc

/// Names and paths, each identified by a number.
///
/// Names are not copied: they stay in the memory of their file's sections, which must live as long as the table.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class StringTable {
  /// The number of the empty text, for an unknown name or path.
  static let none: Int32 = 0

  @exclusivity(unchecked) private var texts = [UnsafeBufferPointer<UInt8>(start: nil, count: 0)]
  @exclusivity(unchecked) private var numbers: [UnsafePointer<UInt8>: Int32] = [:]
  @exclusivity(unchecked) private var owned: [UnsafeMutableBufferPointer<UInt8>] = []

  deinit {
    for text in owned { text.deallocate() }
  }

  /// UTF-8, or whatever the file contains instead. O(1).
  subscript(number: Int32) -> UnsafeBufferPointer<UInt8> { texts[Int(number)] }

  func string(_ number: Int32) -> String { String(decoding: self[number], as: UTF8.self) }

  /// Copies a text.
  func add(_ text: String) -> Int32 {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = copy.initialize(from: text.utf8)
    owned.append(copy)
    return add(UnsafeBufferPointer(copy))
  }

  /// The number of a text that is not looked up again.
  func add(_ text: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard !text.isEmpty else { return Self.none }
    texts.append(text)
    return Int32(texts.count - 1)
  }

  /// The number of a text that may occur again at the same address.
  func number(of text: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let start = text.baseAddress else { return Self.none }
    if let known = numbers[start] { return known }
    let number = add(text)
    numbers[start] = number
    return number
  }
}
