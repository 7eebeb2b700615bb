// object: Model#1
// A block and an operation keep it, and the main thread uses it; in the twin each of the two uses its own capture.
import Foundation
final class Model: @unchecked Sendable { var steps = 0; @inline(never) func step() { steps += 1 } }
final class Screen: @unchecked Sendable {
  var model: Model? = Model()
  @inline(never) func close() { model = nil }
}
final class Watcher: @unchecked Sendable {
  unowned(unsafe) let model: Model
  init(_ model: Model) { self.model = model }
  @inline(never) func look() -> Int { add(model) } // ACCESS
}
nonisolated(unsafe) var total = 0
@inline(never) func add(_ model: Model) -> Int {
  total += model.steps
  return total
}
let screen = Screen(), queue = DispatchQueue(label: "steps"), operations = OperationQueue()
let watcher = Watcher(screen.model!)
let go = DispatchSemaphore(value: 0)
@inline(never) func start() {
  let model = screen.model!
  operations.addOperation {
    go.wait()
    model.step()
    _ = add(model)
  }
  queue.async { for each in [model, model] { each.step() } }
}
operations.isSuspended = true
queue.suspend()
start()
screen.close()
#if !CLEAN
print(watcher.look())
#endif
operations.isSuspended = false
queue.resume()
queue.sync {}
go.signal()
operations.waitUntilAllOperationsAreFinished()
print("end")
