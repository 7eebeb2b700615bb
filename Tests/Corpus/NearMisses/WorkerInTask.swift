// object: Screen#1
// A task that holds the screen runs a worker that refers to it through an Unmanaged. In the twin the task itself
// creates the worker.
import Foundation
class Screen: @unchecked Sendable { var steps = 0; func progress(_ steps: Int) { self.steps += steps } }
final class Worker: @unchecked Sendable {
  let screen: Unmanaged<Screen>
  init(_ screen: Screen) { self.screen = .passUnretained(screen) }
  @inline(never) func work() {
    for step in 0..<3 { screen.takeUnretainedValue().progress(step) } // ACCESS
  }
}
final class Navigator: @unchecked Sendable {
  var screen: Screen? = Screen()
  @inline(never) func pop() { screen = nil }
}
@inline(never) func start(_ screen: Screen, _ gate: AsyncStream<Int>) -> Task<Int, Never> {
#if CLEAN
  Task.detached {
    for await _ in gate { break }
    Worker(screen).work()
    return screen.steps
  }
#else
  let worker = Worker(screen)
  return Task.detached {
    for await _ in gate { break }
    worker.work()
    return screen.steps
  }
#endif
}
@inline(never) func run() async {
  let navigator = Navigator(), (gate, continuation) = AsyncStream.makeStream(of: Int.self)
  let task = start(navigator.screen!, gate)
  navigator.pop()
  continuation.yield(1)
  print(await task.value)
}
await run()
print("end")
