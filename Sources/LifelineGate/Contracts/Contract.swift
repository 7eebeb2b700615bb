import LifelineAnalysis

/// One line of a contract file: a rule that every object of a class must obey.
public struct Contract: Sendable, Equatable {
  public enum Rule: Sendable, Equatable {
    /// No more than this many are live at any time.
    case maxLive(Int)
    /// Each is freed before the program ends, and its deinit runs on this thread.
    case freedOn(ThreadName)
    /// No deinit runs on another thread; objects that are live at exit do not matter.
    case neverFreedOff(ThreadName)
    /// None is live at exit.
    case goneAtExit
    /// None that is unreachable is live at exit.
    case noLeak
    /// Each is freed at most this much later than the holder releases it.
    case diesWithin(Delay, of: HolderPattern)
    /// It has no other holder, apart from running functions.
    case holdersOnly([HolderPattern])

    /// Whether judging it needs the objects' full histories.
    public var needsHolds: Bool {
      switch self {
      case .diesWithin, .holdersOnly: true
      default: false
      }
    }
  }

  /// A duration in events or time.
  public struct Delay: Sendable, Equatable {
    public enum Unit: Sendable, Equatable { case events, nanoseconds }
    public let limit: UInt64
    public let unit: Unit
    /// "1 event", "5 ms".
    public let text: String

    /// Nil if the words are not a duration.
    init?(_ number: String, _ unit: String) {
      let factors: [String: UInt64] = ["ns": 1, "us": 1000, "µs": 1000, "ms": 1_000_000, "s": 1_000_000_000]
      guard let value = UInt64(number) else { return nil }
      text = "\(number) \(unit)"
      if ["event", "events"].contains(unit) {
        limit = value
        self.unit = .events
      } else {
        guard let factor = factors[unit], case let (product, overflow) = value.multipliedReportingOverflow(by: factor),
          !overflow
        else { return nil }
        limit = product
        self.unit = .nanoseconds
      }
    }
  }

  /// "main", or a pattern for the thread's name.
  public struct ThreadName: Sendable, Equatable {
    public let text: String

    func matches(name: String, queue: String?, isMain: Bool) -> Bool {
      if text == "main" { return isMain }
      return NamePattern(text).matches(name) || queue.map(NamePattern(text).matches) == true
    }
  }

  /// Full or short class name, a generic class's with or without its arguments; `*` matches.
  public let subject: NamePattern
  public let rule: Rule
  /// As written in the file.
  public let text: String

  public func concerns(_ className: String) -> Bool {
    subject.matchesClass(className) || subject.matchesClass(className.withoutTypeArguments)
  }
}
