// leak: 1 Promise
// path: Promise.onDone, closure
// change: Capture next weakly or unowned in the closure at main.swift:14 ([weak next])
// A method's closure captures another object of the same class, not self.
final class Promise {
  private var onDone: (() -> Void)?
  private let name: String
  init(_ name: String) { self.name = name }
  @inline(never) func run() { print(name) }
  func then(_ next: Promise) {
    #if CLEAN
    next.onDone = { [weak next] in next?.run() }
    #else
    next.onDone = { next.run() } // KEPT
    #endif
  }
}
@inline(never) func start() {
  Promise("first").then(Promise("second")) // ALLOC
}
start()
