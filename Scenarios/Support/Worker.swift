import Foundation

/// A thread of its own that can be joined: afterwards it holds nothing any more.
final class Worker: @unchecked Sendable {
  private final class Job {
    let name: String
    let body: () -> Void
    init(_ name: String, _ body: @escaping () -> Void) {
      self.name = name
      self.body = body
    }
  }

  private var thread = pthread_t()

  /// Starts at once; the name has 15 bytes at most.
  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let job = Unmanaged.passRetained(Job(name, body))
    pthread_create(
      &thread, nil,
      { context in
        let job = Unmanaged<Job>.fromOpaque(context!).takeRetainedValue()
        Thread.current.name = job.name
        job.body()
        return nil
      }, job.toOpaque())
  }

  func join() { pthread_join(thread, nil) }
}
