// leak: 1 Feed
// path: Feed.task
// says: a task waiting at main.swift:27
// not: Queue.swift
// The task waits inside of a package that was fetched: what the program can change is where it calls the package.
final class Gate: @unchecked Sendable {
  var waiting: UnsafeContinuation<Int, Never>?
  var started: UnsafeContinuation<Void, Never>?
}
let gate = Gate()
#sourceLocation(file: "/home/me/App/.build/checkouts/Kit/Sources/Kit/Queue.swift", line: 70)
@MainActor @inline(never) func next() async -> Int {
  await withUnsafeContinuation { continuation in
    gate.waiting = continuation
    gate.started?.resume()
  }
}
#sourceLocation()
@MainActor final class Feed {
  var last = 0
  var task: Task<Void, Never>?
  init() {} // ALLOC
  @inline(never) func start() {
    #if CLEAN
    task = Task { [weak self] in self?.last += await next() }
    #else
    task = Task { self.last += await next() } // KEPT
    #endif
  }
}
@MainActor @inline(never) func run() async {
  let feed = Feed() // ALLOC
  await withUnsafeContinuation { continuation in
    gate.started = continuation
    feed.start()
  }
  gate.started = nil
  #if CLEAN
  gate.waiting?.resume(returning: 1)
  try? await Task.sleep(nanoseconds: 50_000_000)
  #endif
  gate.waiting = nil
}
await run()
print("end")
