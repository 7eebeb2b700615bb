import Glibc

/// A thread of the operating system that runs one closure.
///
/// No class of Foundation's or Dispatch's: the workloads are to make no events but their own.
final class WorkerThread {
  private let body: () -> Void
  private var handle = pthread_t()

  init(_ body: @escaping () -> Void) { self.body = body }

  func start() {
    let result = pthread_create(
      &handle, nil,
      { argument in
        Unmanaged<WorkerThread>.fromOpaque(argument!).takeUnretainedValue().body()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    precondition(result == 0, "A thread cannot be started: error \(result).")
  }

  func join() { pthread_join(handle, nil) }
}
