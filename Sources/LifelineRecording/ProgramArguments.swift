/// A program's arguments, byte for byte: an argument need not be UTF-8.
public struct ProgramArguments: Sendable, Equatable {
  /// The first is the name by which the program was called.
  let words: [[UInt8]]

  public init(_ words: [String]) { self.words = words.map { Array($0.utf8) } }

  /// The last `count` arguments of this process.
  public init(lastOfOurs count: Int) {
    let all = CommandLine.unsafeArgv
    let total = Int(CommandLine.argc)
    words = (max(0, total - count)..<total).compactMap { index in
      all[index].map { Array(UnsafeRawBufferPointer(start: $0, count: Self.length($0))) }
    }
  }

  init(inserting new: [[UInt8]], at index: Int, in other: ProgramArguments) {
    words = other.words[..<index] + new + other.words[index...]
  }

  private static func length(_ text: UnsafePointer<CChar>) -> Int {
    var length = 0
    while text[length] != 0 { length += 1 }
    return length
  }
}
