import Dispatch
import Glibc

/// Lets other threads end what nothing tells the end of: a queue that lets go of the block that it has run.
func settle() { usleep(50_000) }

/// Overwrites what ended calls left on the stacks of Dispatch's threads. A stale word in a gap of a waiting thread's
/// frames would pass for a reference when the process is examined, and a leak for something reachable.
func overwriteWorkerStacks() {
  DispatchQueue.concurrentPerform(iterations: 64) { _ in overwriteStack(200) }
}

@_optimize(none) @inline(never)
private func overwriteStack(_ depth: Int) {
  let words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  if depth > 0 { overwriteStack(depth - 1) } else { usleep(500) }
  _ = words
}
