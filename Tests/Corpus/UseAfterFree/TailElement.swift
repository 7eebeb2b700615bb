// class: Buffer
// kind: use-after-free
// The tail elements of a ManagedBuffer are read through a pointer that escaped.
final class Buffer: ManagedBuffer<Int, Int> {}
final class Ring { var buffer: ManagedBuffer<Int, Int>? }
@inline(never) func make(_ ring: Ring) -> UnsafeMutablePointer<Int> {
  ring.buffer = Buffer.create(minimumCapacity: 8) { _ in 0 } // ALLOC
  return ring.buffer!.withUnsafeMutablePointerToElements { $0.initialize(repeating: 5, count: 8); return $0 }
}
@inline(never) func drop(_ ring: Ring) {
  ring.buffer = nil // FREE
}
@inline(never) func first(_ elements: UnsafeMutablePointer<Int>) -> Int {
  elements[3] // ACCESS
}
let ring = Ring()
let elements = make(ring)
#if !CLEAN
drop(ring)
#endif
print(first(elements) > 100)
drop(ring)
