/// Where a suspended task resumes, in the program's own functions.
///
/// A task has its resume function and its frame in two words (AsyncTask in swift/ABI/Task.h); each frame begins with
/// the caller's frame and the function that resumes there (AsyncContext).
struct TaskFrames {
  private static let frameOffset = HeapGraph.frameOffset
  private static let numberOffset = 36
  /// The task's flags, and the innermost of its status records (ActiveTaskStatus in TaskPrivate.h).
  private static let flagsOffset = 0x60
  private static let recordOffset: UInt64 = 0x68
  private static let completeFlag: UInt32 = 0x2000
  /// Number of frames whose functions are kept, besides the outermost of the program's own: thunks may be outside of
  /// the function that identifies the task.
  private static let limit = 64
  private static let outermostLimit = 8
  /// Maximum number of frames walked, because invalid frames may form an endless chain.
  private static let walkLimit = 10_000
  private let images: ImageMap
  private var reader: MemoryReader
  private var children: AwaitedChild

  init(_ source: any MemorySource, _ images: ImageMap) {
    self.images = images
    reader = MemoryReader(source)
    children = AwaitedChild(source, images)
  }

  /// Nil if the block is too small for a task. What the children wait in for which the task waits comes first. A task
  /// that has ended, as far as the runtime says so, still has the last frame's address, and resumes nowhere.
  mutating func task(_ bytes: UnsafeRawPointer, at address: UInt64, size: Int) -> HeapTask? {
    guard size >= Self.frameOffset + 8 else { return nil }
    let number = bytes.load(fromByteOffset: Self.numberOffset, as: UInt32.self)
    if Self.isComplete(bytes, size: size) { return HeapTask(number: number, functions: []) }
    var functions: [UInt64] = []
    var task = address
    for _ in 0..<Self.limit {
      functions = ownFunctions(ofTaskAt: task) + functions
      guard let child = children.child(of: task) else { break }
      task = child
    }
    return HeapTask(number: number, functions: functions, wait: wait(ofTaskAt: task))
  }

  /// Whether a task has ended, as far as the runtime says so: what was its frame may be other memory by now.
  static func isComplete(_ bytes: UnsafeRawPointer, size: Int) -> Bool {
    size >= flagsOffset + 4 && bytes.load(fromByteOffset: flagsOffset, as: UInt32.self) & completeFlag != 0
  }

  /// What a task waits for, from the innermost of its status records, which says whose it is.
  ///
  ///   ┌───────┬────────┬────────────────────────────────────────┬──────────────┬──────┬─────────┐
  ///   │ flags │ parent │ task, continuation, group or executor  │ (2nd of two) │ kind │ waiting │
  ///   └───────┴────────┴────────────────────────────────────────┴──────────────┴──────┴─────────┘
  mutating func wait(ofTaskAt address: UInt64) -> HeapTask.Wait? {
    guard let record = reader.word(at: address + Self.recordOffset), record > 4096, record & 7 == 0,
      reader.word(at: record + 40) == address, let kind = reader.half(at: record + 32)
    else { return nil }
    return UInt8(exactly: kind).flatMap(HeapTask.Wait.init)
  }

  /// Whether a task is the first of its process: that of an asynchronous main function, if there is one.
  static func isFirst(_ bytes: UnsafeRawPointer, size: Int) -> Bool {
    size >= frameOffset + 8
      && bytes.load(fromByteOffset: numberOffset, as: UInt32.self) == HeapGraph.firstTask
  }

  /// Innermost first, always including the outermost; empty if all are in libraries.
  private mutating func ownFunctions(ofTaskAt address: UInt64) -> [UInt64] {
    var functions: [UInt64] = []
    guard var function = reader.word(at: address + UInt64(Self.frameOffset - 8)),
      var frame = reader.word(at: address + UInt64(Self.frameOffset))
    else { return [] }
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
