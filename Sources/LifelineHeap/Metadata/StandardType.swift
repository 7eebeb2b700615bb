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
}
