/// The remark on leaks among objects that were excluded from the recording.
public struct ExcludedLeaks {
  let count: Int

  public init(count: Int) { self.count = count }

  public var sentence: String {
    let subject = count == 1 ? "1 leak of other classes is" : "\(count) leaks of other classes are"
    return "\(subject) not listed, because --only or --ignore excludes them."
  }
}
