import CLifelineFormat

/// One entry of a backtrace: an address in the code, and its kind.
public struct BacktraceEntry: Hashable, Sendable {
  /// The format's site word.
  public let word: UInt64

  /// Marks in a backtrace that more frames follow, beyond the limit.
  static let truncation = BacktraceEntry(word: UInt64(LIFELINE_SITE_TRUNCATED))

  public init(word: UInt64) { self.word = word }
  public init(returnAddress: UInt64) { word = returnAddress << 2 }

  /// The backtrace continues beyond the limit.
  public var isTruncation: Bool { self == .truncation }
  /// The next frame could not be found.
  public var isGap: Bool { word == UInt64(LIFELINE_SITE_INCOMPLETE) }
  /// Asynchronous callers follow that could not be found.
  public var isAsyncGap: Bool { word == UInt64(LIFELINE_SITE_ASYNC_UNKNOWN) }
  public var isFrame: Bool { word > UInt64(LIFELINE_SITE_ASYNC_UNKNOWN) }
  public var address: UInt64 { word >> 2 }
  /// The instruction itself, not the one after a call.
  public var isExact: Bool { word & 3 == UInt64(LIFELINE_SITE_EXACT) }
  public var isAsync: Bool { word & 3 == UInt64(LIFELINE_SITE_ASYNC) }
  /// The address to look up: for a return address, inside the call instruction; an asynchronous caller resumes at the
  /// beginning of a function.
  public var lookupAddress: UInt64 { isExact || isAsync || address == 0 ? address : address - 1 }
}
