/// Where code runs, as far as programs tell the places apart: the threads of a pool are one place.
public enum Executor: Sendable, Equatable {
  /// The main thread, and so the main queue and the main actor.
  case main
  case background
}
