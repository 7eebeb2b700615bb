import Foundation
import Glibc
import Lifeline

/// The recorder of a test process: started by the first test that needs it.
enum TestRecorder {
  /// Why nothing can be observed; nil when the recorder runs.
  static let problem: String? = {
    if Timeline.isRecording { return nil }
    var options = Timeline.Options()
    options.output = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-tests.%p.lifeline").path
    options.overwrites = true
    // The functions that tell whose test it is are far out.
    options.frames = 256
    do {
      try Timeline.start(options)
    } catch {
      return "\(error)"
    }
    // Whoever wants to keep the trace records the whole run with `lifeline record`.
    atexit { if let path = Timeline.tracePath { unlink(path) } }
    return nil
  }()

  /// Numbers for tests and scopes, from 1.
  static func nextNumber() -> UInt32 { numbers.next() }

  private static let numbers = NumberSource()

  private final class NumberSource: @unchecked Sendable {
    private let lock = NSLock()
    private var last: UInt32 = 0
    func next() -> UInt32 {
      lock.withLock {
        last += 1
        return last
      }
    }
  }
}
