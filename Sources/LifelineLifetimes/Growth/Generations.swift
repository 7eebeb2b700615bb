/// Where a recording is cut into generations, so that one can be held against the next.
public enum Generations: Sendable {
  /// At those of the program's marks whose text is wanted.
  case marks(@Sendable (String) -> Bool)
  /// Every so many nanoseconds.
  case every(UInt64)

  /// At all of the program's marks.
  public static var allMarks: Self { .marks { _ in true } }
}
