/// Splits the mangled type of a tuple into those of its elements (Mangling.rst of Swift).
///
/// Types are written in postfix order, so they are put on a stack until an operator takes them. What does not occur in
/// tuples of nominal types, of their optionals and of collections is not read. O(length).
struct MangledTuple {
  indirect enum Element {
    case type(MangledType)
    case tuple([Element])
  }

  private enum Item {
    /// `start` is where it is written; a substitution is the type that is written somewhere else, without a start.
    case element(Element, start: Int?)
    /// Follows the first element of a tuple.
    case first
    /// Begins the arguments of a generic type.
    case arguments
  }

  let elements: [Element]

  private let type: MangledType
  private var items: [Item] = []
  /// What "AA", "AB" and so on mean; nil for names.
  private var substitutions: [MangledType?] = []

  /// Nil for other types.
  init?(_ type: MangledType) {
    guard type.bytes.last == UInt8(ascii: "t") else { return nil }
    var parser = Self(parsing: type)
    guard let elements = parser.parse() else { return nil }
    self.type = type
    self.elements = elements
  }

  private init(parsing type: MangledType) {
    self.type = type
    elements = []
  }

  private mutating func parse() -> [Element]? {
    var index = 0
    while index < type.bytes.count {
      guard let next = step(index) else { return nil }
      index = next
    }
    guard items.count == 1, case .element(.tuple(let elements), _) = items[0] else { return nil }
    return elements
  }

  private func byte(_ index: Int) -> UInt8? {
    index < type.bytes.count ? type.bytes[type.bytes.startIndex + index] : nil
  }

  /// Reads what begins at a byte; returns the index behind it.
  private mutating func step(_ index: Int) -> Int? {
    guard let byte = byte(index) else { return nil }
    if byte < 0x20 {
      let end = index + FieldType.width(byte)
      guard byte < 0x18, end <= type.bytes.count else { return nil }
      return push(index, end, isSubstitution: true)
    }
    switch Character(UnicodeScalar(byte)) {
    case "S": return standard(index)
    case "A": return substitution(index)
    case "X": return special(index)
    case "y":
      if self.byte(index + 1) == UInt8(ascii: "X"), self.byte(index + 2) == UInt8(ascii: "l") {
        return push(index, index + 3, isSubstitution: false)
      }
      items.append(.arguments)
      return index + 1
    case "_":
      guard case .element = items.last else { return nil }
      items.append(.first)
      return index + 1
    case "G": return bind(index)
    case "t": return makeTuple(index)
    case "1"..."9": return label(index)
    default: return nil
    }
  }

  private mutating func push(_ start: Int, _ end: Int, isSubstitution: Bool) -> Int {
    let part = type.part(start, end)
    items.append(.element(.type(part), start: start))
    if isSubstitution { substitutions.append(part) }
    return end
  }

  /// Extends the last type up to the byte before `end`.
  private mutating func extend(to end: Int, isSubstitution: Bool) -> Int? {
    guard case .element(.type, let start?)? = items.popLast() else { return nil }
    return push(start, end, isSubstitution: isSubstitution)
  }

  /// A type of the standard library, or an optional.
  private mutating func standard(_ index: Int) -> Int? {
    guard let letter = byte(index + 1) else { return nil }
    if letter == UInt8(ascii: "g") { return extend(to: index + 2, isSubstitution: true) }
    guard "abdfhiuvDOSV".utf8.contains(letter) else { return nil }
    return push(index, index + 2, isSubstitution: false)
  }

  private mutating func substitution(_ index: Int) -> Int? {
    guard let letter = byte(index + 1), UInt8(ascii: "A")...UInt8(ascii: "Z") ~= letter else { return nil }
    let number = Int(letter - UInt8(ascii: "A"))
    guard number < substitutions.count, let type = substitutions[number] else { return nil }
    items.append(.element(.type(type), start: nil))
    return index + 2
  }

  /// The ownership of a reference.
  private mutating func special(_ index: Int) -> Int? {
    guard let letter = byte(index + 1), "owu".utf8.contains(letter) else { return nil }
    return extend(to: index + 2, isSubstitution: false)
  }

  /// Generic arguments, of a single level.
  private mutating func bind(_ index: Int) -> Int? {
    while case .element? = items.last { items.removeLast() }
    guard case .arguments? = items.popLast() else { return nil }
    return extend(to: index + 1, isSubstitution: true)
  }

  private mutating func makeTuple(_ index: Int) -> Int? {
    var elements: [Element] = []
    while case .element(let element, _)? = items.last {
      elements.append(element)
      items.removeLast()
    }
    guard case .first? = items.popLast(), case .element(let first, _)? = items.popLast() else { return nil }
    items.append(.element(.tuple([first] + elements.reversed()), start: nil))
    return index + 1
  }

  /// The name of an element. One with a zero at its start has parts of previous names, and is not read.
  private mutating func label(_ index: Int) -> Int? {
    guard case .element? = items.last else { return nil }
    var end = index, length = 0
    while let digit = byte(end), UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit, length < type.bytes.count {
      length = length * 10 + Int(digit - UInt8(ascii: "0"))
      end += 1
    }
    guard end + length <= type.bytes.count else { return nil }
    substitutions.append(nil)
    return end + length
  }
}
