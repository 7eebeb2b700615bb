/// A word outside of the heap that leads to a node and so keeps it alive.
public struct HeapRoot: Hashable, Sendable {
  /// Where the word lies; in order of how well a person understands it.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Writable data of an image: a global or static variable.
    case global = 0
    /// A live task.
    case task = 1
    /// The kernel's lists: epoll, timers and pending signals.
    case queue = 2
    /// A thread's own variables, its thread control block included.
    case threadLocal = 3
    /// A thread's stack, from its stack pointer on.
    case stack = 4
    /// A thread's registers.
    case register = 5
    /// Any other writable memory.
    case memory = 6
  }

  public let kind: Kind
  /// The node that it leads to.
  public let target: Int
  /// The address of the word; 0 for a register.
  public let address: UInt64
  /// Index in `HeapGraph.places`: the image, the thread or the mapping.
  public let place: Int

  public init(kind: Kind, target: Int, address: UInt64 = 0, place: Int = 0) {
    self.kind = kind
    self.target = target
    self.address = address
    self.place = place
  }
}
