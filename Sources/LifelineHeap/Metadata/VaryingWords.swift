/// Words that hold something or what was in the memory before, which differs from value to value.
enum VaryingWords {
  /// The words of a value of a protocol type, from this one on.
  case existential(Int)
  /// The word of a number that may be nil.
  case optional(Int)

  static func all(in fields: [HeapField]) -> [Self] {
    fields.compactMap { field in
      if field.content == .existential, field.offset & 7 == 0 { return .existential(field.offset / 8) }
      return field.isOptionalWord ? .optional(field.offset / 8) : nil
    }
  }

  /// The words that hold nothing, counted from the object's start; `count` is the number of words in the block, and the
  /// value that these words are of begins at the word `start`.
  func unused(
    of object: UnsafeRawPointer, _ count: Int, from start: Int = 0, _ existentials: inout ExistentialReader
  ) -> Range<Int> {
    switch self {
    case .existential(let first):
      let word = start + first, metadata = word + ExistentialReader.buffer
      guard metadata < count else { return word..<word }
      let used = existentials.words(of: object.load(fromByteOffset: metadata * 8, as: UInt64.self))
      return word + used..<metadata
    case .optional(let first):
      let word = start + first
      guard word + 1 < count, object.load(fromByteOffset: word * 8 + 8, as: UInt8.self) != 0 else { return word..<word }
      return word..<word + 1
    }
  }
}
