// Objects that C++ code laid out in its own memory, as the compiler does: their header is there, and all bits of their
// count are set. The first retain overflows it to 0x1FFFFFFFF, and releases stop there.
import Glibc
final class Node { var value = 7 }
@inline(never) func use(_ node: Unmanaged<Node>) -> Int { node.takeUnretainedValue().value }
let model = Unmanaged.passRetained(Node())
let size = 24
let nodes = (0..<8).map { count in
  let memory = malloc(size)!
  memcpy(memory, model.toOpaque(), size)
  memory.storeBytes(of: count % 2 == 0 ? UInt64.max : 0x1_FFFF_FFFF, toByteOffset: 8, as: UInt64.self)
  return Unmanaged<Node>.fromOpaque(memory)
}
for node in nodes {
  var sum = use(node)
  for _ in 0..<3 { sum += use(node.retain()) }
  for _ in 0..<9 { node.release() }
  precondition(sum + use(node) == 35)
}
print(model.takeRetainedValue().value)
