// leak: 1 Retrier
// path: Retrier.pending, closure
// change: Use a weak or unowned reference to Retrier in the local function attempt at main.swift:13
// not: [weak
// A local function captures the object that keeps it; it has no list of captures.
final class Retrier {
  private var pending: [() -> Void] = []
  private var attempts = 0
  func start(_ limit: Int) {
    #if CLEAN
    func attempt() { print(limit) }
    #else
    func attempt() { // KEPT
      self.attempts += 1
      if self.attempts < limit { self.pending.append(attempt) }
    }
    #endif
    pending.append(attempt)
  }
  @inline(never) func run() -> Int {
    for job in pending { job() }
    return attempts
  }
}
@inline(never) func run() -> Int {
  let retrier = Retrier() // ALLOC
  retrier.start(2)
  return retrier.run()
}
print(run())
