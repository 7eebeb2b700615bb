import Dispatch

/// A point that one thread waits at until another opens it; so the order of threads is the story's, not the scheduler's.
///
/// A value, so that waiting and opening leave no trace among the objects of the story.
struct Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func open() { semaphore.signal() }

  /// Waits for one opening; a story that waits in vain is ended by `lifeline run`.
  func wait() { semaphore.wait() }

  /// Waits for so many deinits that open the gate, on other threads; the memory goes a moment after the deinit.
  func waitForDeaths(_ count: Int = 1) {
    for _ in 0..<count { wait() }
    settle()
  }
}
