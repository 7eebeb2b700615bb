public import LifelineTrace

/// Describes the problem of an explored run without a finding.
public enum ProblemWording {
  /// How often the same happened without holds.
  public typealias ByItself = (shown: Int, of: Int)

  /// A run that ended differently than the one without holds; `natural` is nil if that one was stopped.
  public static func otherEnd(_ end: Recording.End, natural: Recording.End?, byItself: ByItself?) -> String {
    let begin = isCrash(end) ? "the program crashed: \(sentence(end))" : "the program ended differently"
    if let byItself, byItself.shown > 0 {
      return (isCrash(end) ? begin : "the program does not always end the same way: \(sentence(end))") + often(byItself)
    }
    if isCrash(end) { return begin + (natural.map { "; by itself \(sentence($0))" } ?? "") }
    return "\(begin) than without holds: \(sentence(end))"
  }

  /// A run that crashed without holds.
  public static func naturalCrash(_ end: Recording.End) -> String { "the program crashed by itself: \(sentence(end))" }

  /// One that was ended after `limit` nanoseconds.
  public static func hang(limit: UInt64, natural: UInt64, byItself: ByItself?) -> String {
    let begin = "the program did not end within \(Quantity.duration(limit))"
    if let byItself, byItself.shown > 0 { return begin + often(byItself) }
    return "\(begin); by itself it took \(Quantity.duration(natural))"
  }

  /// All runs took longer than the limit.
  public static func neverEnds(limit: UInt64, withoutFind: String) -> String {
    "the program was stopped after \(Quantity.duration(limit)) (--limit); until then \(withoutFind)"
  }

  /// Some did, and it is unknown how they would have ended.
  public static func stopped(_ count: Int, of runs: Int, limit: UInt64, natural: UInt64) -> String {
    let (were, it) = count == 1 ? ("was", "it") : ("were", "them")
    return "\(Quantity.number(count)) of \(Quantity.count(runs, "run")) \(were) stopped after "
      + "\(Quantity.duration(limit)) (--limit), so the outcome of \(it) is unknown; "
      + "by itself the program took \(Quantity.duration(natural))"
  }

  /// Whether the program's own fault ended it.
  public static func isCrash(_ end: Recording.End) -> Bool {
    // SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS.
    if case .signal(let number) = end { [4, 5, 6, 7, 8, 11, 31].contains(number) } else { false }
  }

  private static func often(_ byItself: ByItself) -> String {
    ", by itself in \(Quantity.number(byItself.shown)) of \(Quantity.count(byItself.of, "run"))"
  }

  private static func sentence(_ end: Recording.End) -> String {
    switch end {
    case .exit(let status): "it exited with status \(status)"
    case .signal(let number): "\(SignalName.of(number)) ended it"
    case .unknown, .replaced, .detached: "its end was not seen"
    }
  }
}
