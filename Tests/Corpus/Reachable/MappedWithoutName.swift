// A mapping whose address is stored nowhere: it is still mapped, and holds what is in it.
import Glibc
final class Journal { var lines = 1 }
@inline(never) func write() {
  let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
  memory.storeBytes(of: Unmanaged.passRetained(Journal()).toOpaque(), toByteOffset: 64, as: UnsafeMutableRawPointer.self)
}
write()
print("end")
