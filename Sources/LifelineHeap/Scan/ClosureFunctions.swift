/// Recognizes closures: a function, followed by the context in the next word.
struct ClosureFunctions {
  private let code: AddressRanges
  private let data: AddressRanges
  private var reader: MemoryReader

  init(_ source: any MemorySource) {
    code = AddressRanges(source.regions, where: \.isExecutable)
    data = AddressRanges(source.regions) { $0.inode != 0 && $0.isReadable && !$0.isExecutable }
    reader = MemoryReader(source)
  }

  /// The function of the closure whose context word `index` of an object points to; nil if it is not a closure's.
  @inline(__always)
  mutating func function(before index: Int, ofObject bytes: UnsafeRawPointer) -> UInt64? {
    guard index > 2 else { return nil }
    return function(bytes.load(fromByteOffset: index * 8 - 8, as: UInt64.self))
  }

  /// The same for a block of plain memory, which must be a C block to have one: those have a class, flags, code, a
  /// descriptor, and then their captures (Block_private.h); the block of a Swift closure captures the Swift closure.
  @inline(__always)
  mutating func function(before index: Int, ofMemory bytes: UnsafeRawPointer) -> UInt64? {
    guard index == 5, code.contains(bytes.load(fromByteOffset: 16, as: UInt64.self)) else { return nil }
    let descriptor = bytes.load(fromByteOffset: 24, as: UInt64.self)
    guard descriptor & 7 == 0, reader.word(at: descriptor) == 0, let size = reader.word(at: descriptor + 8),
      size >= 48, size < 1 << 16
    else { return nil }
    return function(bytes.load(fromByteOffset: 32, as: UInt64.self))
  }

  /// The address of code in the word before a word.
  @inline(__always)
  func code(before index: Int, of bytes: UnsafeRawPointer) -> UInt64? {
    guard index > 0 else { return nil }
    let word = bytes.load(fromByteOffset: index * 8 - 8, as: UInt64.self)
    return code.contains(word) ? word : nil
  }

  @inline(__always)
  private mutating func function(_ word: UInt64) -> UInt64? {
    if code.contains(word) { return word }
    return data.contains(word) ? asynchronous(word) : nil
  }

  /// An asynchronous function is represented by a variable of its image: the relative address of its code, and the size
  /// of its frame (AsyncFunctionPointer in swift/ABI/Task.h).
  private mutating func asynchronous(_ pointer: UInt64) -> UInt64? {
    guard pointer & 3 == 0, let entry = reader.relative(at: pointer), code.contains(entry),
      let size = reader.half(at: pointer + 4), size >= 16, size & 15 == 0, size < 1 << 24
    else { return nil }
    return entry
  }
}
