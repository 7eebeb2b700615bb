/// Where the recorder's own memory lies in a process: it keeps nothing alive.
public struct RecorderMemory: Sendable, Equatable {
  /// Its buffers, tables and mapped chunks of the trace.
  public var ranges: [Range<UInt64>] = []
  /// Metadata of freed objects that are kept; nil when none are.
  public var zombies: Range<UInt64>?
  /// Objects on guard pages; nil if there are none.
  public var guards: Range<UInt64>?
  /// The table of whose page each of `guards` is, and how many are in use.
  public var guardOwners: UInt64 = 0
  public var guardPages = 0
  /// The thread that asked, and its stack pointer before the recorder's own frames.
  public var thread = 0
  public var stackPointer: UInt64 = 0
  /// The trace that the process writes.
  public var trace = ""

  public init() {}

  /// What need not be copied: all of it but the table.
  var unread: [Range<UInt64>] { ranges.filter { !$0.contains(guardOwners) } }
}
