/// A backtrace's number in the `BacktraceTable`; equal backtraces have equal numbers. 0 is the empty one.
public struct BacktraceID: Hashable, Sendable, Comparable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let empty = BacktraceID(rawValue: 0)
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
