// Pointers in memory mapped privately and shared.
import Glibc
final class Entry { var value = 1; var next: Entry? }
@inline(never) func map(_ flags: Int32) -> UnsafeMutableRawPointer {
  mmap(nil, 1 << 20, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0)!
}
@inline(never) func fill(_ memory: UnsafeMutableRawPointer) {
  let entry = Entry()
  entry.next = Entry()
  memory.storeBytes(of: Unmanaged.passRetained(entry).toOpaque(), toByteOffset: 700_000, as: UnsafeMutableRawPointer.self)
}
let own = map(MAP_PRIVATE), shared = map(MAP_SHARED)
fill(own)
fill(shared)
print("end")
