/// What is said of leaks among objects that a recording was told to leave out.
public struct UnaskedLeaks {
  let count: Int

  public init(count: Int) { self.count = count }

  public var sentence: String {
    let subject = count == 1 ? "1 leak of other classes is" : "\(count) leaks of other classes are"
    return "\(subject) not listed, because --only or --ignore excludes them."
  }
}
