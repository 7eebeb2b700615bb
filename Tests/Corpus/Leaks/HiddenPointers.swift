// leak: 1 Frame, 1 Entry
// findings: 2
// path:
// Only a counter beside an address, and the end of a block, lead to two objects; then they are overwritten.
final class Frame { var depth = 1 }
final class Entry { var value = 1 }
nonisolated(unsafe) var end: UnsafeMutablePointer<UInt>?
nonisolated(unsafe) var head: UInt64 = 0
@inline(never) func fill() {
  let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 3)
  memory.initialize(repeating: 0, count: 3)
  memory[2] = UInt(bitPattern: Unmanaged.passRetained(Frame()).toOpaque()) // KEPT
  end = memory + 3
  head = UInt64(UInt(bitPattern: Unmanaged.passRetained(Entry()).toOpaque())) << 16 | 7 // ALLOC
}
@inline(never) func empty() {
  #if !CLEAN
  end = nil
  head = 0
  #endif
}
fill() // KEPT-CALL
empty()
print("end")
