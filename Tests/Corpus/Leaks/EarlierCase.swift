// leak: 2 Node, 1 Worker
// path: Node.peer
// change: Node.peer to nil
// not: owner
// An enum's earlier case had the node; its word is still in the worker's memory. A weak owner would not free the nodes.
enum Phase {
  case idle
  case attached(id: Int, any CustomStringConvertible, Node)
  case done(id: Int)
}
final class Node {
  var peer: Node?
  var owner: Worker?
  @inline(never) func join(_ other: Node) { peer = other } // KEPT
}
final class Worker {
  private var phase = Phase.idle
  var id: Int {
    switch phase {
    case .idle: 0
    case .attached(let id, _, _), .done(let id): id
    }
  }
  @inline(never) func attach() {
    let node = Node(), other = Node() // ALLOC
    node.join(other) // KEPT-CALL
    #if !CLEAN
    other.join(node) // KEPT-CALL
    #endif
    node.owner = self
    phase = .attached(id: 1, "first", node)
  }
  @inline(never) func finish() { phase = .done(id: 2) }
}
@inline(never) func run() -> Int {
  let worker = Worker()
  worker.attach()
  let before = worker.id
  worker.finish()
  return before + worker.id
}
print(run())
