import CLifelineHarness
import Foundation
import Glibc
import Lifeline

/// The recorder of a test process: started by the first test that needs it.
enum TestRecorder {
  /// Why nothing can be observed; nil if the recorder runs.
  static let problem: String? = {
    // Asked before the recorder starts.
    _ = isOurs
    var options = Timeline.Options()
    options.output = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-tests.%p.lifeline").path
    options.overwrites = true
    do {
      try Timeline.start(options)
    } catch {
      return "\(error)"
    }
    let key = Unmanaged.passUnretained(TestScope.$currentNumber).toOpaque()
    if !lifeline_harness_recorder().pointee.attribute(key) {
      return "This program has no Swift concurrency, so tests cannot be distinguished."
    }
    atexit {
      LifetimeIndex.shared.forget()
      SymbolicatorPool.forget()
      // To keep a trace, start the recorder with LIFELINE_OPTIONS or `lifeline record`.
      if TestRecorder.isOurs, let path = Timeline.tracePath { unlink(path) }
    }
    return nil
  }()

  /// Whether the trace is for the tests only. The probe starts with LIFELINE_OPTIONS when it is loaded.
  private static let isOurs = !Timeline.isRecording && getenv("LIFELINE_OPTIONS") == nil

  /// Numbers for tests and scopes, from 1.
  static func nextNumber() -> UInt32 { numbers.next() }

  /// The test that each expectation is part of.
  static let parents = ParentTable()

  static let running = RunningTests()

  private static let numbers = NumberSource()

  final class ParentTable: @unchecked Sendable {
    private let lock = NSLock()
    private var outer: [UInt32: UInt32] = [:]
    func set(_ parent: UInt32, of number: UInt32) { lock.withLock { outer[number] = parent } }
    /// Whether a number is equal to another or part of it.
    func isPart(_ number: UInt32, of other: UInt32) -> Bool {
      lock.withLock {
        var number = number
        while number != 0, number != other { number = outer[number] ?? 0 }
        return number == other
      }
    }
  }

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
