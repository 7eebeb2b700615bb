/// Where a suspended task resumes, in the program's own functions.
///
/// A task has its resume function and its frame in two words (AsyncTask in swift/ABI/Task.h); each frame begins with
/// the caller's frame and the function that resumes there (AsyncContext).
struct TaskFrames {
  private static let frameOffset = HeapGraph.frameOffset
  private static let numberOffset = 36
  /// Number of frames whose functions are kept, besides the outermost of the program's own: thunks may be outside of
  /// the function that identifies the task.
  private static let limit = 64
  private static let outermostLimit = 8
  /// Maximum number of frames walked, because invalid frames may form an endless chain.
  private static let walkLimit = 10_000
  private let images: ImageMap
  private var reader: MemoryReader

  init(_ source: any MemorySource, _ images: ImageMap) {
    self.images = images
    reader = MemoryReader(source)
  }

  /// Nil if the block is too small for a task.
  mutating func task(_ bytes: UnsafeRawPointer, size: Int) -> HeapTask? {
    guard size >= Self.frameOffset + 8 else { return nil }
    return HeapTask(
      number: bytes.load(fromByteOffset: Self.numberOffset, as: UInt32.self),
      functions: ownFunctions(ofTask: bytes))
  }

  /// Whether a task is the first of its process: that of an asynchronous main function, if there is one.
  static func isFirst(_ bytes: UnsafeRawPointer, size: Int) -> Bool {
    size >= frameOffset + 8
      && bytes.load(fromByteOffset: numberOffset, as: UInt32.self) == HeapGraph.firstTask
  }

  /// Innermost first, always including the outermost; empty if all are in libraries.
  private mutating func ownFunctions(ofTask bytes: UnsafeRawPointer) -> [UInt64] {
    var functions: [UInt64] = []
    var function = bytes.load(fromByteOffset: Self.frameOffset - 8, as: UInt64.self)
    var frame = bytes.load(fromByteOffset: Self.frameOffset, as: UInt64.self)
    var outermost: [UInt64] = []
    for depth in 0..<Self.walkLimit {
      if images.isOwn(function) {
        if depth < Self.limit {
          functions.append(function)
        } else {
          outermost = outermost.suffix(Self.outermostLimit - 1) + [function]
        }
      }
      guard let caller = reader.word(at: frame), let next = reader.word(at: frame + 8) else { break }
      (frame, function) = (caller, next)
    }
    return functions + outermost
  }
}
