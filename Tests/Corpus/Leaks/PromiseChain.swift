// leak: 3 Promise
// path: Promise.upstream, Promise.callbacks, closure
// change: in the closure at main.swift:22
// not: and main.swift
// A chain of promises that nothing fulfills: one closure in the source captures objects of a generic class with
// different arguments.
final class Promise<Value> {
  private var callbacks: [(Value) -> Void] = []
  #if CLEAN
  private weak var upstream: AnyObject?
  #else
  private var upstream: AnyObject?
  #endif
  init(after upstream: AnyObject?) { self.upstream = upstream }
  func then(_ callback: @escaping (Value) -> Void) { callbacks.append(callback) }
  func fulfill(_ value: Value) {
    for callback in callbacks { callback(value) }
    callbacks = []
  }
  func map<Result>(_ change: @escaping (Value) -> Result) -> Promise<Result> {
    let promise = Promise<Result>(after: self) // ALLOC
    then { promise.fulfill(change($0)) } // KEPT
    return promise
  }
  var isWaiting: Bool { !callbacks.isEmpty }
}
@inline(never) func run() -> Bool {
  let first = Promise<Int>(after: nil) // ALLOC
  first.map { $0 + 1 }.map { "\($0)" }.then { print($0) } // KEPT
  return first.isWaiting
}
print(run()) // KEPT
