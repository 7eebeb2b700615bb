// leak: 1 Poller
// path: Poller.task
// A task waits for a continuation that only the task's own object keeps: it can no longer be resumed. Everything is on the
// main actor, so that the task already waits when the program ends.
@MainActor final class Poller: @unchecked Sendable {
  var task: Task<Void, Never>?
  var waiting: CheckedContinuation<Void, Never>?
  var polls = 0
  func start(_ started: CheckedContinuation<Void, Never>) {
    task = Task {
      await withCheckedContinuation { continuation in // KEPT
        self.waiting = continuation // KEPT
        started.resume()
      } // KEPT
      self.polls += 1 // KEPT
    }
  }
}
@MainActor @inline(never) func run() async -> Int {
  let poller = Poller() // ALLOC
  await withCheckedContinuation { poller.start($0) } // KEPT-CALL
  #if CLEAN
  poller.waiting?.resume()
  await poller.task?.value
  poller.waiting = nil
  #endif
  return poller.polls
}
print(await run())
