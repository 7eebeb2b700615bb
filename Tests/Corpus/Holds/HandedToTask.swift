// object: Batch#1
// verdict: late
// rule: task
// finding: none
// The function takes the batch out of the property, and gives its own reference to a task: it used nothing by luck.
import Foundation
class Batch: @unchecked Sendable { var rows = 0; func write() { rows += 1 }; deinit { written += rows } }
class Uploader {
  var pending: Batch?
  @inline(never) func add() { pending = Batch() }
  @inline(never) func flush(_ gate: AsyncStream<Int>) -> Task<Void, Never>? {
    guard let batch = pending else { return nil }
    pending = nil // OWNER
    return Task.detached {
      for await _ in gate { break }
      batch.write()
    }
  }
}
nonisolated(unsafe) var written = 0
@inline(never) func start(_ gate: AsyncStream<Int>) -> Task<Void, Never>? {
  let uploader = Uploader()
  uploader.add()
  return uploader.flush(gate)
}
let (gate, continuation) = AsyncStream.makeStream(of: Int.self), done = DispatchSemaphore(value: 0)
let task = start(gate)
continuation.yield(1)
Task.detached {
  await task?.value
  done.signal()
}
done.wait()
print("end", written)
