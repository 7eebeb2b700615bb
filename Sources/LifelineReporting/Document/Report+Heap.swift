extension Report {
  /// The heap at the program's end.
  public struct Heap: Codable, Sendable, Equatable {
    /// Nodes of one class under one keeper.
    public struct Kept: Codable, Sendable, Equatable {
      /// Full class name; "" for memory.
      public var `class`: String
      public var count: Int
      /// Bytes that only they keep, including themselves.
      public var retainedBytes: Int
      public var retainedCount: Int
      /// "global", "stack", "thread-local", "task", "queue", "register", "memory": the root outside of the heap; nil
      /// below the top.
      public var root: String?
      /// The global's or the thread's name.
      public var rootName: String?
      public var children: [Kept]
    }

    /// Whether reachability was examined.
    public var isExamined: Bool
    /// Why it was not.
    public var reason: String?
    public var reachableBytes: Int
    public var reachableCount: Int
    /// The program's own unreachable objects.
    public var lostCount: Int
    public var lostBytes: Int
    /// What keeps how much, largest first.
    public var kept: [Kept]
  }
}
