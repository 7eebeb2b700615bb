// object: Grid#1
// A function holds the grid while its closures run on several threads: one clears the owner, and workers use the grid.
import Dispatch
import Foundation
class Grid: @unchecked Sendable {
  var cells = [Int](repeating: 0, count: 64)
  func bump(_ index: Int) { cells[index] += 1 }
}
final class Model: @unchecked Sendable { var grid: Grid? = Grid(); @inline(never) func reset() { grid = nil } }
final class Worker: @unchecked Sendable {
#if CLEAN
  let grid: Grid
#else
  unowned(unsafe) let grid: Grid
#endif
  init(_ grid: Grid) { self.grid = grid }
  @inline(never) func fill(_ index: Int) {
    grid.bump(index) // ACCESS
    grid.bump(index + 1) // ACCESS
  }
}
@inline(never) func run(_ model: Model, _ workers: [Worker]) {
  let grid = model.grid!
  let lock = NSLock()
  nonisolated(unsafe) var isReset = false
  DispatchQueue.concurrentPerform(iterations: 4) { index in
    lock.lock()
    if !isReset {
      isReset = true
      model.reset()
    }
    workers[index].fill(index * 8)
    lock.unlock()
  }
  grid.bump(0)
}
let model = Model()
@inline(never) func makeWorkers() -> [Worker] { (0..<4).map { _ in Worker(model.grid!) } }
run(model, makeWorkers())
print("end")
