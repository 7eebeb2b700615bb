import Synchronization

/// Reads the trace for tests that end: one reading serves all waiting tests.
///
/// A hundred tests that run at once end at nearly the same moment.
final class ReadingQueue<Reading>: Sendable {
  private typealias Job = @Sendable (Result<Reading, any Error>) -> Void

  private struct State {
    var isReading = false
    var waiting: [Job] = []
  }

  private let state = Mutex(State())
  private let read: @Sendable ((Reading) -> Void) throws -> Void

  /// `read` calls its closure once, or throws.
  init(_ read: @escaping @Sendable ((Reading) -> Void) throws -> Void) { self.read = read }

  /// The result of `body` for the trace as it is at this moment or a little later; one body is called at a time.
  ///
  /// - Throws: `TraceError` if the trace cannot be read, and the errors of `body`.
  func with<Value: Sendable>(_ body: @escaping (Reading) throws -> Value) async throws -> Value {
    // It is called once, on whichever thread reads, while its caller waits.
    nonisolated(unsafe) let body = body
    return try await withCheckedThrowingContinuation { continuation in
      let isFirst = state.withLock { state in
        state.waiting.append { reading in continuation.resume(with: Result { try body(reading.get()) }) }
        defer { state.isReading = true }
        return !state.isReading
      }
      if isFirst { readForAll() }
    }
  }

  /// Reads until no request waits; requests that arrive during a reading need another one.
  private func readForAll() {
    while true {
      let jobs = state.withLock { state in
        defer { state.waiting = [] }
        state.isReading = !state.waiting.isEmpty
        return state.waiting
      }
      if jobs.isEmpty { return }
      do {
        try read { reading in for job in jobs { job(.success(reading)) } }
      } catch {
        for job in jobs { job(.failure(error)) }
      }
    }
  }
}
