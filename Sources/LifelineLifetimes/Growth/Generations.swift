/// Where a recording is divided into generations, so that one can be compared with the next.
public enum Generations: Sendable {
  /// At the program's marks with matching texts.
  case marks(@Sendable (String) -> Bool)
  /// Every interval of this many nanoseconds.
  case every(UInt64)
  /// At these times, in nanoseconds since the start of the recording, ascending.
  case at([UInt64])

  /// At all of the program's marks.
  public static var allMarks: Self { .marks { _ in true } }
}
