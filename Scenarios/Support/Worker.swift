import Foundation

/// A thread of its own, and a way to wait for its end.
final class Worker: Sendable {
  private let done = Gate()

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let done = done
    let thread = Thread {
      body()
      done.open()
    }
    thread.name = name
    thread.start()
  }

  func join() { done.wait() }
}
