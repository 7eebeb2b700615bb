// A function gets promises from another one and gives them to blocks that end later. It has its own references until it
// returns, so no use in it is a near miss, whichever release is paired with which retain.
import Dispatch
import Foundation
final class Promise: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Int?
  private var waiting: [(Int) -> Void] = []
  func then(_ action: @escaping (Int) -> Void) {
    lock.lock()
    let known = value
    if known == nil { waiting.append(action) }
    lock.unlock()
    if let known { action(known) }
  }
  func fulfil(_ value: Int) {
    lock.lock()
    self.value = value
    let actions = waiting
    waiting = []
    lock.unlock()
    for action in actions { action(value) }
  }
  var now: Int? { lock.withLock { value } }
}
func sum(_ left: Promise, _ right: Promise) -> Promise {
  let total = Promise()
  let add: (Int) -> Void = { _ in
    guard let first = left.now, let second = right.now else { return }
    total.fulfil(first + second)
  }
  left.then(add)
  right.then(add)
  return total
}
final class Library: @unchecked Sendable {
  private let shelf = DispatchQueue(label: "shelf", attributes: .concurrent)
  private func order() -> (Promise, Promise, Promise) { (Promise(), Promise(), Promise()) }
  func lend() -> Int {
    let books = order()
    let all = sum(sum(books.0, books.1), books.2)
    let isDone = DispatchSemaphore(value: 0), isBack = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var count = 0
    all.then { value in
      count = value
      isDone.signal()
    }
    books.0.fulfil(1)
    shelf.async {
      books.1.fulfil(2)
      isBack.signal()
    }
    isBack.wait()
    usleep(2_000)
    shelf.async {
      books.2.fulfil(3)
      usleep(4_000)
    }
    isDone.wait()
    return count
  }
}
let library = Library()
for _ in 0..<3 { print(library.lend()) }
usleep(50_000)
