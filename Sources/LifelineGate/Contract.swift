/// One line of a contract file: what must hold for every object of a class.
public struct Contract: Sendable, Equatable {
  public enum Rule: Sendable, Equatable {
    /// At no time are more live.
    case maxLive(Int)
    /// Each is freed before the program ends, and its deinit runs on this thread.
    case freedOn(ThreadName)
    /// No deinit runs on another thread; objects that are live at exit do not matter.
    case neverFreedOff(ThreadName)
    /// None is live at exit.
    case goneAtExit
  }

  /// "main", or a pattern for the thread's name.
  public struct ThreadName: Sendable, Equatable {
    public let text: String

    func matches(name: String, isMain: Bool) -> Bool { text == "main" ? isMain : NamePattern(text).matches(name) }
  }

  /// Full or short class name; `*` matches.
  public let subject: NamePattern
  public let rule: Rule
  /// As in the file.
  public let text: String

  public func concerns(_ className: String) -> Bool {
    if subject.matches(className) { return true }
    guard let dot = className.firstIndex(of: ".") else { return false }
    return subject.matches(String(className[className.index(after: dot)...]))
  }
}
