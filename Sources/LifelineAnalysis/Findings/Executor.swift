/// Where code runs, as far as programs distinguish it: all threads of a pool are one executor.
public enum Executor: Sendable, Equatable {
  /// The main thread, and so the main queue and the main actor.
  case main
  /// A serial dispatch queue with this label. Queues of one label count as one.
  case queue(String)
  case background
}
