// Tasks that run at the end of the program, and one that waits for another's value.
import Dispatch
final class Load: @unchecked Sendable { var count = 0 }
let started = DispatchSemaphore(value: 0)
nonisolated(unsafe) var stop = false
@inline(never) func spin(_ load: Load) -> Int {
  started.signal()
  while !stop { load.count &+= 1 }
  return load.count
}
@inline(never) func wait(_ task: Task<Int, Never>) async {
  let load = Load()
  started.signal()
  load.count += await task.value
}
// On one core all tasks share one thread: the others start to wait before this one occupies it.
nonisolated(unsafe) var isFirstWaiting = false, isSecondWaiting = false
let task = Task.detached {
  while !isFirstWaiting || !isSecondWaiting { await Task.yield() }
  return spin(Load())
}
Task.detached { isFirstWaiting = true; await wait(task) }
Task.detached { isSecondWaiting = true; await wait(task) }
started.wait()
started.wait()
started.wait()
print("end")
