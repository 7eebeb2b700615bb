// object: Store#1
// When a group of blocks has ended, another block uses a report that refers to the store, which only that block still
// holds. Meanwhile the function that started them returned to the main function.
import Dispatch
class Store: @unchecked Sendable {
  var rows: [Int] = []
  let queue = DispatchQueue(label: "store")
  func add(_ row: Int) { queue.sync { rows.append(row) } }
  func sum() -> Int { queue.sync { rows.reduce(0, +) } }
}
final class Report: @unchecked Sendable {
#if CLEAN
  let store: Store
#else
  unowned(unsafe) let store: Store
#endif
  init(_ store: Store) { self.store = store }
  @inline(never) func total() -> Int {
    store.sum() // ACCESS
  }
}
final class Backend {
  var store: Store? = Store()
  @inline(never) func run(_ queue: DispatchQueue, _ done: DispatchSemaphore) {
    let group = DispatchGroup(), store = store!, report = Report(store), go = DispatchSemaphore(value: 0)
    for row in 0..<3 {
      DispatchQueue.global().async(group: group) {
        go.wait()
        store.add(row)
      }
    }
    group.notify(queue: queue) {
      print("total", report.total(), store.rows.count)
      done.signal()
    }
    close()
    go.signal()
    go.signal()
    go.signal()
  }
  @inline(never) func close() { store = nil }
}
let queue = DispatchQueue(label: "report"), done = DispatchSemaphore(value: 0)
Backend().run(queue, done)
done.wait()
queue.sync {}
print("end")
