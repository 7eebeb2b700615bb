/// One entry of a backtrace: an address in the code, and its kind.
public struct BacktraceEntry: Hashable, Sendable {
  /// The format's site word.
  public let word: UInt64

  public init(word: UInt64) { self.word = word }
  public init(returnAddress: UInt64) { word = returnAddress << 2 }

  /// The backtrace continues beyond the limit.
  public var isTruncation: Bool { word == 4 }
  /// The next frame could not be found.
  public var isGap: Bool { word == 8 }
  /// Asynchronous callers follow that could not be found.
  public var isAsyncGap: Bool { word == 12 }
  public var isFrame: Bool { word > 12 }
  public var address: UInt64 { word >> 2 }
  /// The instruction itself, not the one after a call.
  public var isExact: Bool { word & 3 == 1 }
  public var isAsync: Bool { word & 3 == 2 }
  /// The address to look up: for a return address, inside the call instruction; an asynchronous caller resumes at the
  /// beginning of a function.
  public var lookupAddress: UInt64 { isExact || isAsync || address == 0 ? address : address - 1 }
}
