/// How certain it is who held an object.
public enum Confidence: String, Sendable, Comparable {
  /// A guess: the only known place that could have held it, without evidence that it did.
  case perhaps
  /// Evidence shows it: a setter, an initializer or a deinit ran around the retain or the release.
  case likely
  /// The same call retained and released.
  case sure

  private var rank: Int {
    switch self {
    case .perhaps: 0
    case .likely: 1
    case .sure: 2
    }
  }

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}
