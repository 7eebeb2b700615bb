import Dispatch
import Glibc

/// A point that one thread waits at until another opens it; so the order of threads is the story's, not the scheduler's.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func open() { semaphore.signal() }

  /// Waits for one opening; a story that waits in vain is ended by `lifeline run`.
  func wait() { semaphore.wait() }

  /// Waits for so many deinits that open the gate, on other threads. The memory goes a moment after the deinit, and nothing
  /// tells when; so this waits a little longer.
  func waitForDeaths(_ count: Int = 1) {
    for _ in 0..<count { wait() }
    usleep(10_000)
  }
}
