/// A trace's verdict on a run.
public enum Verdict: Sendable, Equatable {
  case findings
  case clean
  /// The tool could not see enough to say "clean"; the sentence says why.
  case none(String)

  public var name: String {
    switch self {
    case .findings: "findings"
    case .clean: "clean"
    case .none: "none"
    }
  }
}
