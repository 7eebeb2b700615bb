// leak: 1 Owner
// path:
// why: passRetained
// A C struct keeps a reference, and is freed without releasing it.
import Glibc
final class Owner { var name = "x" }
struct Record { var length: Int; var owner: UnsafeMutableRawPointer? }
@inline(never) func make() -> UnsafeMutablePointer<Record> {
  let record = malloc(MemoryLayout<Record>.size)!.bindMemory(to: Record.self, capacity: 1)
  record.initialize(to: Record(length: 1, owner: Unmanaged.passRetained(Owner()).toOpaque())) // ALLOC KEPT
  return record
}
@inline(never) func destroy(_ record: UnsafeMutablePointer<Record>) {
  #if CLEAN
  Unmanaged<Owner>.fromOpaque(record.pointee.owner!).release()
  #endif
  free(record)
}
destroy(make()) // KEPT-CALL
print("end")
