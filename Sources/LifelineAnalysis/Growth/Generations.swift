import LifelineTrace

/// Where a recording is cut into generations, so that one can be held against the next.
public enum Generations: Sendable, Equatable {
  /// At the program's own marks, or those that match.
  case marks(NamePattern?)
  /// Every so many nanoseconds.
  case every(UInt64)
  /// At these nanoseconds since the recording began, ascending.
  case times([UInt64])
}
