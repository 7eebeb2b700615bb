/// A call whose beginning a history is to tell: the sites around it, the outermost first, and its thread.
public struct CallWatch: Hashable, Sendable {
  public let thread: UInt32
  /// Site words (lifeline_event.h); the last is the call itself.
  public let words: [UInt64]

  public init(thread: UInt32, words: [UInt64]) {
    self.thread = thread
    self.words = words
  }
}
