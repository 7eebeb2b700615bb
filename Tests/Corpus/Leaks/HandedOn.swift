// leak: 1 Item, 1 Worker
// path: Worker.item, Item.owner
// An object moves from a queue to the worker that it refers to: the queue's reference was the first and is gone.
final class Item {
  #if CLEAN
  weak var owner: Worker?
  #else
  var owner: Worker?
  #endif
}
final class Queue { var pending: Item? }
final class Worker { var item: Item? }
@inline(never) func enqueue(_ queue: Queue) {
  queue.pending = Item() // ALLOC
}
@inline(never) func move(_ queue: Queue, _ worker: Worker) {
  worker.item = queue.pending // KEPT
  queue.pending = nil
}
@inline(never) func link(_ worker: Worker) {
  worker.item!.owner = worker // KEPT
}
@inline(never) func run() -> Bool {
  let queue = Queue()
  let worker = Worker()
  enqueue(queue)
  move(queue, worker)
  link(worker)
  return queue.pending == nil
}
print(run())
