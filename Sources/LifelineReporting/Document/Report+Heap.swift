extension Report {
  /// What was seen of the heap at the program's end.
  public struct Heap: Codable, Sendable, Equatable {
    /// Nodes of one class that hang below one keeper.
    public struct Kept: Codable, Sendable, Equatable {
      /// Full class name; "" for memory.
      public var `class`: String
      public var count: Int
      /// What they alone keep, themselves included.
      public var retainedBytes: Int
      public var retainedCount: Int
      /// "global", "stack", "thread-local", "task", "queue", "register", "memory": what leads there from outside of the
      /// heap; nil below the top.
      public var root: String?
      /// The global's or the thread's name.
      public var rootName: String?
      public var children: [Kept]
    }

    /// Reachability was examined.
    public var isExamined: Bool
    /// Why it was not.
    public var reason: String?
    public var reachableBytes: Int
    public var reachableCount: Int
    /// The program's own objects that nothing reaches.
    public var lostCount: Int
    public var lostBytes: Int
    /// Who keeps how much, the most first.
    public var kept: [Kept]
  }
}
