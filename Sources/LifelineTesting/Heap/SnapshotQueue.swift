import Synchronization

/// Reads the trace for tests that end: one reading serves all that wait for one.
///
/// Each reading begins at the trace's beginning, and a hundred tests that run at once end at nearly the same moment.
final class SnapshotQueue: Sendable {
  static let shared = SnapshotQueue()

  private typealias Job = @Sendable (Result<Snapshot, any Error>) -> Void

  private struct State {
    var isReading = false
    var waiting: [Job] = []
  }

  private let state = Mutex(State())

  /// What `body` makes of the trace as it is at this moment or a little later; one body at a time is called.
  ///
  /// - Throws: `TraceError` when the trace cannot be read, and what `body` throws.
  func with<Value: Sendable>(_ body: @escaping (Snapshot) throws -> Value) async throws -> Value {
    // It is called once, on whichever thread reads, while its caller waits.
    nonisolated(unsafe) let body = body
    return try await withCheckedThrowingContinuation { continuation in
      let isFirst = state.withLock { state in
        state.waiting.append { snapshot in continuation.resume(with: Result { try body(snapshot.get()) }) }
        defer { state.isReading = true }
        return !state.isReading
      }
      if isFirst { readForAll() }
    }
  }

  /// Reads until nobody waits: whoever came during a reading is too late for it.
  private func readForAll() {
    while true {
      let jobs = state.withLock { state in
        defer { state.waiting = [] }
        state.isReading = !state.waiting.isEmpty
        return state.waiting
      }
      if jobs.isEmpty { return }
      do {
        try Snapshot.with { snapshot in for job in jobs { job(.success(snapshot)) } }
      } catch {
        for job in jobs { job(.failure(error)) }
      }
    }
  }
}
