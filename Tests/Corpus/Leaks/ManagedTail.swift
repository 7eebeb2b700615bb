// leak: 1 Pool, 1 Slots
// path: Pool.slots
// A cycle through the elements after a managed buffer's header.
final class Pool { var slots: Slots? }
final class Slots: ManagedBuffer<Int, Pool?> {
  deinit { _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 4) } }
}
@inline(never) func fill(_ slots: Slots, _ pool: Pool) {
  slots.withUnsafeMutablePointerToElements { elements in
    elements.initialize(repeating: nil, count: 4)
    #if !CLEAN
    elements[2] = pool // KEPT
    #endif
  }
  pool.slots = slots
}
@inline(never) func build() -> Int {
  let pool = Pool() // ALLOC
  let slots = unsafeDowncast(Slots.create(minimumCapacity: 4) { _ in 4 }, to: Slots.self) // ALLOC
  fill(slots, pool) // KEPT-CALL
  return slots.header
}
print(build())
