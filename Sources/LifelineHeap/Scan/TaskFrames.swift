/// Where a suspended task goes on: the first of its functions that is the program's own.
///
/// A task has the function that goes on and its frame in two words (AsyncTask in swift/ABI/Task.h); each frame begins
/// with the caller's frame and the function that goes on there (AsyncContext).
struct TaskFrames {
  /// Byte of a task at which its frame's address stands, behind its function's.
  static let frameOffset = 64
  private let images: ImageMap
  private var reader: MemoryReader

  init(_ source: any MemorySource, _ images: ImageMap) {
    self.images = images
    reader = MemoryReader(source)
  }

  /// Nil when all are the libraries'.
  mutating func ownFunction(ofTask bytes: UnsafeRawPointer) -> UInt64? {
    var function = bytes.load(fromByteOffset: Self.frameOffset - 8, as: UInt64.self)
    var frame = bytes.load(fromByteOffset: Self.frameOffset, as: UInt64.self)
    for _ in 0..<64 {
      if images.isOwn(function) { return function }
      guard let caller = reader.word(at: frame), let next = reader.word(at: frame + 8) else { return nil }
      (frame, function) = (caller, next)
    }
    return nil
  }
}
