// Calls that wait for an actor that is busy until the end.
import Dispatch
final class Item: @unchecked Sendable { var value = 1 }
let started = DispatchSemaphore(value: 0)
let never = DispatchSemaphore(value: 0)
actor Store {
  var items: [Item] = []
  func block() { started.signal(); never.wait() }
  func add(_ item: Item) { items.append(item) }
}
let store = Store()
Task.detached { await store.block() }
started.wait()
for _ in 0..<3 { Task.detached { started.signal(); await store.add(Item()) } }
for _ in 0..<3 { started.wait() }
print("end")
