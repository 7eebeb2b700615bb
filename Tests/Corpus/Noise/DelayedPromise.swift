// A promise that settles later is captured by a closure that makes the block for later. Which release ended which of
// the equal references of one call is only guessed, so no use in the block is a near miss.
import Dispatch
import Foundation
final class Promise: @unchecked Sendable {
  private let lock = DispatchQueue(label: "promise")
  private var value: Int?
  private var onValue: [(Int) -> Void] = []
  private var onError: [(String) -> Void] = []
  private var first: (() -> Void)?
  private var begin: ((Promise) -> Void)?
  private var isStarted = false
  init(_ begin: ((Promise) -> Void)? = nil) { self.begin = begin }
  func link(to other: Promise) {
    let start = lock.sync { self.first ?? self.start }
    other.lock.sync { other.first = start }
  }
  func linked() -> Promise {
    let promise = Promise()
    link(to: promise)
    return promise
  }
  func start() {
    let action: (() -> Void)? = lock.sync {
      if isStarted { return nil }
      isStarted = true
      return begin.map { begin in { begin(self) } }
    }
    action?()
  }
  func startAll() {
    var actions: [(() -> Void)?] = []
    lock.sync { actions = [first, start] }
    actions.forEach { $0?() }
  }
  func when(_ success: @escaping (Int) -> Void, _ failure: @escaping (String) -> Void) {
    lock.sync {
      if let value {
        success(value)
      } else {
        onValue.append(success)
        onError.append(failure)
      }
    }
  }
  func fulfill(_ value: Int) {
    let blocks: [(Int) -> Void] = lock.sync {
      self.value = value
      let blocks = onValue
      onValue = []
      onError = []
      return blocks
    }
    blocks.forEach { $0(value) }
  }
  func reject(_ error: String) { print(error) }
  func delay(_ milliseconds: Int) -> Promise {
    let promise = linked()
    when({ value in later(milliseconds) { promise.fulfill(value) } }, promise.reject)
    return promise
  }
  @discardableResult func then(_ use: @escaping (Int) -> Void) -> Promise {
    let promise = linked()
    when({ value in use(value); promise.fulfill(value) }, promise.reject)
    startAll()
    return promise
  }
}
func later(_ milliseconds: Int, _ block: @escaping () -> Void) {
  nonisolated(unsafe) let block = block
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
    DispatchQueue.main.async { block() }
    // The block for later ends after the one on the main queue, and releases the promise last.
    usleep(20_000)
  }
}
func test() { Promise { promise in later(20) { promise.fulfill(1) } }.delay(20).then { print($0) } }
test()
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.5))
print("end")
