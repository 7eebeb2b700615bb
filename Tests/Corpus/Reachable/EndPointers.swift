// Blocks of which only the address after their last byte is known: filled from the end, or read backwards.
final class Frame { var depth = 0 }
/// A stack that grows downwards: its owner has the top, which is the end of the memory while the stack is empty.
final class Downwards {
  var end: UnsafeMutablePointer<UInt>
  init(capacity: Int) {
    let memory = UnsafeMutablePointer<UInt>.allocate(capacity: capacity)
    memory.initialize(repeating: 0, count: capacity)
    end = memory + capacity
  }
}
@inline(never) func retained(_ depth: Int) -> UInt {
  let frame = Frame()
  frame.depth = depth
  return UInt(bitPattern: Unmanaged.passRetained(frame).toOpaque())
}
@inline(never) func fill(_ stack: Downwards) { for depth in 1...3 { stack.end[-depth] = retained(depth) } }
// Three words fill a malloc block to its end; four leave room after them.
let stacks = [Downwards(capacity: 3), Downwards(capacity: 4), Downwards(capacity: 201)]
nonisolated(unsafe) var other = Downwards(capacity: 5).end
@inline(never) func use() -> Int {
  for stack in stacks { fill(stack) }
  other[-2] = retained(9)
  return stacks.count
}
print(use())
