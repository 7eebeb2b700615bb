/// Where code runs, as far as programs distinguish it: all threads of a pool are one executor.
public enum Executor: Sendable, Equatable {
  /// The main thread, and so the main queue and the main actor.
  case main
  case background
}
