// leak: 1 Payload
// path:
// why: memory
// A C struct that is no longer reachable keeps the only reference.
import Glibc
final class Payload { var size = 1 }
@inline(never) func wrap() -> UnsafeMutableRawPointer {
  let memory = malloc(64)!
  memory.storeBytes(of: Unmanaged.passRetained(Payload()).toOpaque(), toByteOffset: 32, as: UnsafeMutableRawPointer.self) // ALLOC KEPT
  return memory
}
@inline(never) func drop(_ memory: UnsafeMutableRawPointer) {
  #if CLEAN
  Unmanaged<Payload>.fromOpaque(memory.load(fromByteOffset: 32, as: UnsafeMutableRawPointer.self)).release()
  free(memory)
  #endif
}
drop(wrap()) // KEPT-CALL
print("end")
