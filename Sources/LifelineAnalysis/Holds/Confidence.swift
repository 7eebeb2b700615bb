/// How well it is known who held an object.
public enum Confidence: String, Sendable, Comparable {
  /// A guess: the only place known that could have held it, and nothing that shows it did.
  case perhaps
  /// Something shows it: a setter, an initializer, a deinit that ran around the retain or the release.
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
