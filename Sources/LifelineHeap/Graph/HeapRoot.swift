/// A word outside of the heap that refers to a node and so keeps it alive.
public struct HeapRoot: Hashable, Sendable {
  /// The location of the word, in order of how easy it is to understand.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Writable data of an image: a global or static variable.
    case global = 0
    /// A live task.
    case task = 1
    /// The kernel's lists: epoll, timers and pending signals.
    case queue = 2
    /// A thread's own variables, including its thread control block.
    case threadLocal = 3
    /// A thread's stack, starting at its stack pointer.
    case stack = 4
    /// A thread's registers.
    case register = 5
    /// Any other writable memory.
    case memory = 6
    /// A variable of a function that will not return; no word shows it.
    case variable = 7
  }

  public let kind: Kind
  /// The referenced node.
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
