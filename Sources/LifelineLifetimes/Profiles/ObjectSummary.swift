import LifelineTrace

/// One object from its allocation to its end, or to the end of the recording.
public struct ObjectSummary: Sendable {
  /// Index in the profile's classes.
  public let classIndex: Int
  /// From 1, in order of allocation among objects of that class.
  public let number: Int
  public let address: UInt64
  /// Bytes, 0 if unknown.
  public let size: Int
  public let state: ObjectState
  public let allocation: Moment
  public let thread: UInt32
  public let backtrace: BacktraceID
  public let retains: Int
  public let releases: Int
  /// The release that began its deinit; nil if it was not seen.
  public let finalRelease: Moment?
  public let endThread: UInt32
  public let finalBacktrace: BacktraceID
  /// When its memory was freed; nil if it was not.
  public let freed: Moment?
}
