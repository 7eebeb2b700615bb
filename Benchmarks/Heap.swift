// Makes COUNT objects that live until the end, each with a reference to another one, and says when main is about to return:
// Heap COUNT [wide | buffers]. What `Scripts/benchmark-leaks` measures. Wide objects have 24 numbers more, those with
// buffers an array of 32,768 numbers each.
import Glibc

class Node {
  var next: Node?
  var number = 0
}

final class WideNode: Node {
  var numbers = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
}

final class BufferNode: Node {
  var values: [Int]
  init(_ seed: Int) { values = (0..<32_768).map { ($0 &+ seed) &* 0x1E37_79B9_7F4A_7C15 } }
}

let count = Int(CommandLine.arguments[1])!
let sort = CommandLine.arguments.dropFirst(2).first
var nodes: [Node] = []
nodes.reserveCapacity(count)
for number in 0..<count {
  let node = sort == "wide" ? WideNode() : sort == "buffers" ? BufferNode(number) : Node()
  node.number = number
  node.next = nodes.last
  nodes.append(node)
}
// A cycle that nothing reaches: the answer is known.
@inline(never) func leak() {
  let first = Node(), second = Node()
  first.next = second
  second.next = first
}
leak()
// No chain of a million deinits: the objects live when the process exits.
_ = Unmanaged.passRetained(nodes as AnyObject)
var now = timespec()
clock_gettime(CLOCK_MONOTONIC, &now)
print(now.tv_sec * 1_000_000_000 + now.tv_nsec)
