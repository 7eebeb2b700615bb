import Glibc

/// A thread that reads ahead of the one that created it, on another core.
final class ReadingThread {
  private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  private let thread: pthread_t

  /// Nil if no thread can be started. Everything that `body` uses must be handed over between the two threads.
  init?(_ body: @escaping () -> Void) {
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard status == 0 else {
      work.release()
      return nil
    }
    self.thread = thread
  }

  /// Waits until it has ended.
  func join() { pthread_join(thread, nil) }

  /// Whether this process may run on more than one core. Swift does not import `sched_getaffinity`.
  static var hasSeveralCores: Bool {
    guard let file = fopen("/proc/self/status", "re") else { return false }
    defer { fclose(file) }
    let title = "Cpus_allowed:"
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(title) else { continue }
      return text.dropFirst(title.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) } > 1
    }
    return false
  }
}
