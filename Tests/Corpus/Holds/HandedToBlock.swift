// object: Batch#1
// verdict: late
// rule: dispatch-block
// finding: none
// The function that gives the batch to a block clears the property as well: the block was meant to end it.
import Dispatch
class Batch { var rows = 0; func write() { rows += 1 }; deinit { written += rows } }
class Uploader {
  var pending: Batch?
  @inline(never) func add() { pending = Batch() }
  @inline(never) func flush() {
    guard let batch = pending else { return }
    queue.async { batch.write() }
    pending = nil // OWNER
  }
}
nonisolated(unsafe) var written = 0
let queue = DispatchQueue(label: "uploads")
let uploader = Uploader()
queue.suspend()
uploader.add()
uploader.flush()
queue.resume()
queue.sync {}
queue.sync {}
print("end", written)
