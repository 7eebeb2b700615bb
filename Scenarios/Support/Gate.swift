import Dispatch

/// A point that one thread waits at until another opens it; so the order of threads is the story's, not the scheduler's.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func open() { semaphore.signal() }

  /// Waits for one opening; a story that waits in vain is ended by `lifeline run`.
  func wait() { semaphore.wait() }
}
