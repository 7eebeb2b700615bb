/// A call whose beginning is needed for a history: the sites around it, outermost first, and its thread.
public struct CallWatch: Hashable, Sendable {
  public let thread: UInt32
  /// Site words (lifeline_event.h); the last is the call itself.
  public let words: [UInt64]

  public init(thread: UInt32, words: [UInt64]) {
    self.thread = thread
    self.words = words
  }
}
