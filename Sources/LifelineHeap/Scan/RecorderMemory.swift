/// The recorder's own memory in a process, which keeps nothing alive.
public struct RecorderMemory: Sendable, Equatable {
  /// Its buffers, tables and mapped chunks of the trace.
  public var ranges: [Range<UInt64>] = []
  /// Metadata of kept freed objects; nil if there are none.
  public var zombies: Range<UInt64>?
  /// Objects on guard pages; nil if there are none.
  public var guards: Range<UInt64>?
  /// The table with the owner of each page of `guards`, and the number in use.
  public var guardOwners: UInt64 = 0
  public var guardPages = 0
  /// The requesting thread, and its stack pointer before the recorder's own frames.
  public var thread = 0
  public var stackPointer: UInt64 = 0
  /// The return addresses from the program's function that called `exit` outwards, and the end of that function's
  /// frame; empty and 0 if none did.
  public var exitCalls: [UInt64] = []
  public var exitFrame: UInt64 = 0
  /// What the registers held that this function's callers may have in use; empty if none called `exit`.
  public var exitRegisters: [UInt64] = []
  /// The trace that the process writes.
  public var trace = ""

  public init() {}

  /// Memory that need not be copied: all of it except the table.
  var unread: [Range<UInt64>] { ranges.filter { !$0.contains(guardOwners) } }
}
