// Tasks that wait when the program ends, each with an object in its frame. What will resume each differs: a Dispatch
// timer, a source, a queue, a thread, another task, a group, a custom executor.
import Dispatch
import Foundation

final class Item: @unchecked Sendable { var value = 1 }
@inline(never) func make() -> Item { Item() }
nonisolated(unsafe) var started = 0
let counter = NSLock()
func note() { counter.withLock { started += 1 } }

@inline(never) func hold(_ resume: @escaping @Sendable (UnsafeContinuation<Void, Never>) -> Void) async {
  let item = make()
  await withUnsafeContinuation { continuation in
    resume(continuation)
    note()
  }
  item.value += 1
}

final class Line: SerialExecutor, @unchecked Sendable {
  var jobs: [UnownedJob] = []
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    counter.withLock { jobs.append(job) }
    note()
  }
  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
actor Clerk {
  let line: Line
  nonisolated var unownedExecutor: UnownedSerialExecutor { line.asUnownedSerialExecutor() }
  init(_ line: Line) { self.line = line }
  func serve(_ item: Item) { item.value += 1 }
}
let line = Line()

// A Dispatch timer.
Task.detached { await hold { waiting in DispatchQueue.global().asyncAfter(deadline: .now() + 1000) { waiting.resume() } } }
// A queue that is not running.
let suspended = DispatchQueue(label: "suspended")
suspended.suspend()
Task.detached { await hold { waiting in suspended.async { waiting.resume() } } }
// A source that never fires.
let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
Task.detached { await hold { waiting in source.setEventHandler { waiting.resume() } } }
// A thread.
Task.detached {
  await hold { waiting in
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 1000)
      waiting.resume()
    }
  }
}
// The runtime's own timers.
Task.detached {
  let item = make()
  note()
  try? await Task.sleep(for: .seconds(1000))
  item.value += 1
}
Task.detached {
  let item = make()
  note()
  try? await ContinuousClock().sleep(until: .now + .seconds(1000), tolerance: .seconds(1))
  item.value += 1
}
// Another task, a group and a child.
let slow = Task.detached { try? await Task.sleep(for: .seconds(1000)) }
Task.detached {
  let item = make()
  note()
  _ = await slow.value
  item.value += 1
}
Task.detached {
  let item = make()
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<3 {
      group.addTask {
        let inner = make()
        note()
        try? await Task.sleep(for: .seconds(1000))
        inner.value += 1
      }
    }
    await group.waitForAll()
  }
  item.value += 1
}
Task.detached {
  async let child: Void = {
    let inner = make()
    note()
    try? await Task.sleep(for: .seconds(1000))
    inner.value += 1
  }()
  let item = make()
  await child
  item.value += 1
}
// An executor that keeps its jobs in an array and never runs them.
Task.detached {
  let item = make()
  let clerk = Clerk(line)
  await clerk.serve(item)
  item.value += 1
}
// A stream whose continuation a handler keeps.
let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
suspended.async { continuation.yield(1) }
Task.detached {
  let item = make()
  note()
  for await number in stream { item.value += number }
}
// Canceled from elsewhere.
Task.detached {
  let item = make()
  await withTaskCancellationHandler {
    note()
    try? await Task.sleep(for: .seconds(1000))
  } onCancel: {
    item.value += 1
  }
}

while counter.withLock({ started < 14 }) { usleep(1000) }
usleep(100_000)
print("end")
exit(0)
