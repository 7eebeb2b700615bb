import Foundation
import Synchronization

/// A value computed on a separate thread.
final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () throws -> Value) {
    let thread = Thread { [self] in
      let value = Result(catching: work)
      result.withLock { $0 = value }
      done.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Waits for the value.
  var value: Value {
    get throws {
      done.wait()
      defer { done.signal() }
      return try result.withLock { $0! }.get()
    }
  }
}
