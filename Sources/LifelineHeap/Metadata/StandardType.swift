/// The types of the standard library whose mangling is "S" and a letter, or "Sc" and one (StandardTypesMangling.def).
enum StandardType {
  private static let names: [String: String] = [
    "A": "AutoreleasingUnsafeMutablePointer", "D": "Dictionary", "I": "DefaultIndices", "J": "Character",
    "N": "ClosedRange", "O": "ObjectIdentifier", "P": "UnsafePointer", "R": "UnsafeBufferPointer", "S": "String",
    "V": "UnsafeRawPointer", "W": "UnsafeRawBufferPointer", "a": "Array", "b": "Bool", "d": "Double", "f": "Float",
    "h": "Set", "i": "Int", "n": "Range", "p": "UnsafeMutablePointer", "q": "Optional",
    "r": "UnsafeMutableBufferPointer", "s": "Substring", "u": "UInt", "v": "UnsafeMutableRawPointer",
    "w": "UnsafeMutableRawBufferPointer", "cC": "CheckedContinuation", "cc": "UnsafeContinuation",
    "cE": "CancellationError", "cG": "TaskGroup", "cg": "ThrowingTaskGroup", "cM": "MainActor",
    "cP": "TaskPriority", "cS": "AsyncStream", "cs": "AsyncThrowingStream", "cT": "Task", "ct": "UnsafeCurrentTask",
    "cJ": "UnownedJob", "ce": "UnownedSerialExecutor",
  ]

  /// `letters` are those after the "S", and perhaps more.
  static func name(of letters: UnsafeRawBufferPointer.SubSequence) -> String? {
    let count = letters.first == UInt8(ascii: "c") ? 2 : 1
    return names[String(decoding: letters.prefix(count), as: UTF8.self)]
  }

  private static let many = ValueLayout.many
  /// What `MemoryLayout` says of them on 64-bit Linux, whatever their arguments are; the program's memory has nothing
  /// that leads from the letter to the type.
  private static let layouts: [Substring: ValueLayout] = [
    "i": ValueLayout(8), "u": ValueLayout(8), "d": ValueLayout(8), "f": ValueLayout(4),
    "b": ValueLayout(1, extraInhabitants: 254), "S": ValueLayout(16, extraInhabitants: many),
    "J": ValueLayout(16, extraInhabitants: many), "s": ValueLayout(32, extraInhabitants: many),
    "O": ValueLayout(.word, ownership: .unowned), "V": ValueLayout(8, extraInhabitants: 1),
    "v": ValueLayout(8, extraInhabitants: 1), "P": ValueLayout(8, extraInhabitants: 1),
    "p": ValueLayout(8, extraInhabitants: 1), "W": ValueLayout(16), "w": ValueLayout(16), "R": ValueLayout(16),
    "r": ValueLayout(16), "a": ValueLayout(.object), "D": ValueLayout(.object), "h": ValueLayout(.object),
    "cP": ValueLayout(1), "ce": ValueLayout(16, extraInhabitants: many), "cJ": ValueLayout(8, extraInhabitants: many),
    "cT": ValueLayout(8, extraInhabitants: many), "cS": ValueLayout(8, extraInhabitants: many),
    "cs": ValueLayout(8, extraInhabitants: many), "cC": ValueLayout(8, extraInhabitants: many),
    "cc": ValueLayout(8, extraInhabitants: many), "cG": ValueLayout(8, extraInhabitants: 1),
    "cg": ValueLayout(8, extraInhabitants: 1), "ct": ValueLayout(8, extraInhabitants: many),
  ]

  /// Range and ClosedRange: two bounds.
  private static let ranges: Set<Substring> = ["n", "N"]
  /// Equatable, Hashable, Comparable, Encodable and Decodable, and Actor, to which only classes conform.
  private static let protocols: [Substring: Bool] = [
    "Q": false, "H": false, "L": false, "E": false, "e": false, "cA": true,
  ]

  /// `code` is what follows the "S", without the type's arguments, whose layouts are nil if they are not known.
  static func layout(_ code: Substring, _ arguments: [ValueLayout?] = []) -> ValueLayout? {
    if let layout = layouts[code] { return layout }
    guard ranges.contains(code), let bound = arguments.first ?? nil else { return nil }
    return ValueLayout([bound, bound])
  }

  /// Whether only classes conform to a protocol of the standard library; nil if it is none of these.
  static func isForClasses(_ code: Substring) -> Bool? { protocols[code] }
}
