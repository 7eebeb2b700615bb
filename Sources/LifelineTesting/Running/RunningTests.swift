import Foundation

/// The running test functions. If one runs more than once at a time, with several arguments for example, backtraces
/// cannot tell the runs apart.
final class RunningTests: @unchecked Sendable {
  private let lock = NSLock()
  private var running: [TestFunction: [TestScope]] = [:]

  func begin(_ scope: TestScope) {
    guard let function = scope.function else { return }
    lock.withLock {
      running[function, default: []].append(scope)
      if running[function]!.count > 1 { running[function]!.forEach { $0.isAlone = false } }
    }
  }

  func end(_ scope: TestScope) {
    guard let function = scope.function else { return }
    lock.withLock { running[function]?.removeAll { $0 === scope } }
  }

  func isAlone(_ scope: TestScope) -> Bool { lock.withLock { scope.isAlone } }
}
