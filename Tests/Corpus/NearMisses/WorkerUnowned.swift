// object: Screen#1
// A block that holds the screen runs a worker that refers to it unowned. In the twin the block itself creates the
// worker, so that its reference keeps the screen for as long as the worker runs.
import Foundation
protocol WorkerDelegate: AnyObject { func progress(_ steps: Int) }
final class Worker: @unchecked Sendable {
  unowned let delegate: any WorkerDelegate
  init(_ delegate: any WorkerDelegate) { self.delegate = delegate }
  @inline(never) func work() {
    for step in 0..<3 { delegate.progress(step) } // ACCESS
  }
}
final class Screen: WorkerDelegate, @unchecked Sendable {
  var steps = 0
  func progress(_ steps: Int) { self.steps += steps }
}
final class Navigator {
  var screen: Screen? = Screen()
  @inline(never) func pop() { screen = nil }
}
@inline(never) func start(_ screen: Screen, _ queue: DispatchQueue, _ gate: DispatchSemaphore) {
#if CLEAN
  queue.async {
    gate.wait()
    Worker(screen).work()
  }
#else
  let worker = Worker(screen)
  queue.async {
    gate.wait()
    worker.work()
    _ = screen.steps
  }
#endif
}
@inline(never) func run() {
  let navigator = Navigator(), queue = DispatchQueue(label: "work"), gate = DispatchSemaphore(value: 0)
  start(navigator.screen!, queue, gate)
  navigator.pop()
  gate.signal()
  queue.sync {}
}
run()
print("end")
